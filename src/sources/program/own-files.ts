/** Where the parts of Keelson are that a worker loads: beside this file, or in the built package. */
export interface OwnFiles {
  readonly worker: URL;
  /** What programs import as `keelson`. */
  readonly library: URL;
  readonly folder: URL;
}

export function ownFiles(): OwnFiles {
  const here = import.meta.url;
  if (here.endsWith(".ts")) {
    return {
      worker: new URL("./worker.ts", here),
      library: new URL("../../index.ts", here),
      folder: new URL("../../", here),
    };
  }
  const folder = new URL(/\/parts\/[^/]*$/.test(here) ? "../" : "./", here);
  return {
    worker: new URL("program-worker.js", folder),
    library: new URL("index.js", folder),
    folder,
  };
}
