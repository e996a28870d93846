import { openPersistence, readServing } from "../data-folder.ts";
import { snapshotLines, snapshotPath } from "./snapshot-text.ts";

/** All objects of a folder as text, from whoever serves them or from the disk. */
export async function takeSnapshot(folder: string): Promise<string> {
  const serving = readServing(folder);
  if (serving !== undefined) {
    const { requestServed } = await import("./request-served.ts");
    return requestServed(folder, serving, snapshotPath);
  }
  const persistence = await openPersistence(folder);
  try {
    return [...snapshotLines(persistence.revision(), persistence.load())].join("");
  } finally {
    persistence.close();
  }
}
