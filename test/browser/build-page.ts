import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/run.ts";
import { setup as buildPackage } from "../built-package.ts";

/** Screenshots of the page. */
export const artifacts = join(root, "test", "artifacts");
/** The page of the built package. */
export const builtPage = pathToFileURL(join(root, "dist/web/"));

export async function setup(): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  await buildPackage();
}
