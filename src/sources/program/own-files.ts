import { builtFolder } from "../../processes/built-folder.ts";

/** The parts of Keelson that a worker loads: always those of the built package. */
export interface OwnFiles {
  readonly worker: URL;
  /** What programs import as `keelson`. */
  readonly library: URL;
  readonly folder: URL;
}

export function ownFiles(): OwnFiles {
  const folder = builtFolder();
  return {
    worker: new URL("program-worker.js", folder),
    library: new URL("index.js", folder),
    folder,
  };
}
