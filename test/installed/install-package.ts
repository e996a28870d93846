/** What users get: the packed tarball, installed by npm into an empty folder, once for all suites of a run. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../scripts/run.ts";
import { setup as buildPackage } from "../built-package.ts";
import { npm, npmInstall } from "./npm.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder as after `npm install --save-dev keelson`; it is copied, never worked in. */
    readonly installed: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "keelson-installed-")));
  await buildPackage();
  // It is as it would be built: there is nothing to prepare.
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed] = JSON.parse(await npm(root, pack)) as readonly { readonly filename: string }[];
  await npmInstall(folder, "--save-dev", `./${packed?.filename ?? ""}`);
  project.provide("installed", folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
