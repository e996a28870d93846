/** The parts of Keelson that a worker loads: always those of the built package, which load five times as quickly. */
export interface OwnFiles {
  readonly worker: URL;
  /** What programs import as `keelson`. */
  readonly library: URL;
  readonly folder: URL;
}

export function ownFiles(): OwnFiles {
  const folder = builtFolder(import.meta.url);
  return {
    worker: new URL("program-worker.js", folder),
    library: new URL("index.js", folder),
    folder,
  };
}

/** Seen from a source file of the checkout, or from a file of the built package. */
function builtFolder(here: string): URL {
  if (here.endsWith(".ts")) return new URL("../../../dist/", here);
  return new URL(/\/parts\/[^/]*$/.test(here) ? "../" : "./", here);
}
