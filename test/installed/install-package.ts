/** What users get: the packed tarball, installed by npm into an empty folder, once for all suites of a run. */
import { globSync, statSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root, run } from "../../scripts/run.ts";
import { withFolderLock } from "../cluster/folder-lock.ts";
import { npm, npmInstall } from "./npm.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder as after `npm install --save-dev keelson`; it is copied, never worked in. */
    readonly installed: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "keelson-installed-")));
  const tarball = await withFolderLock(join(root, "node_modules/.cache/keelson-pack"), async () => {
    if (isBuildStale()) await build();
    // It was just built, or is as it would be built: there is nothing to prepare.
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const [packed] = JSON.parse(await npm(root, pack)) as readonly { readonly filename: string }[];
    return packed?.filename ?? "";
  });
  await npmInstall(folder, "--save-dev", `./${tarball}`);
  project.provide("installed", folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function isBuildStale(): boolean {
  const built = statSync(join(root, "dist/cli.js"), { throwIfNoEntry: false });
  const sources = ["src/**/*", "web/**/*", "scripts/build*.ts", "package.json", "tsconfig*.json"];
  const times = globSync(sources, { cwd: root }).map((file) => statSync(join(root, file)).mtimeMs);
  return built === undefined || Math.max(...times) > built.mtimeMs;
}

async function build(): Promise<void> {
  const status = await run("node", ["scripts/build.ts"]);
  if (status !== 0) throw new Error(`the build ended with ${status}`);
}
