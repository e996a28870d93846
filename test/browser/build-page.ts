import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildWeb } from "../../scripts/build-web.ts";
import { root } from "../../scripts/run.ts";

/** Screenshots and the page that they are of. */
export const artifacts = join(root, "test", "artifacts");
const folder = join(artifacts, "web");
export const builtPage = pathToFileURL(`${folder}/`);

/** The page is always that of the sources. */
export async function setup(): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  await buildWeb(folder);
  // Commands that run in processes of their own look for it there.
  await cp(folder, join(root, "dist", "web"), { recursive: true, force: true });
}
