/** The package as it is built and shipped: what tests start as a process is what users start. */
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { run } from "../scripts/run.ts";
import { withFolderLock } from "./cluster/folder-lock.ts";

const root = join(import.meta.dirname, "..");
const built = join(root, "dist/cli.js");

/** The command line; an argument of Node. */
export const keelsonScript = join(root, "bin/keelson.js");

/** Builds the package where a source is newer. */
export async function setup(): Promise<void> {
  if (isCurrent()) return;
  await withFolderLock(join(root, "node_modules/.cache/build.lock"), async () => {
    if (isCurrent()) return;
    const status = await run("node", ["scripts/build.ts"]);
    if (status !== 0) throw new Error("the package cannot be built");
  });
}

function isCurrent(): boolean {
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  const sources = globSync(
    ["src/**/*.ts", "web/**/*", "scripts/build*.ts", "package.json", "tsconfig*.json"],
    {
      cwd: root,
      exclude: ["**/*.test.ts"],
    },
  );
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= builtAt);
}
