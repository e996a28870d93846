/** Writes the types of the package: one declaration file for each export. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { libraryEntries } from "./library-entries.ts";
import { root, run } from "./run.ts";

export async function buildTypes(folder: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), "keelson-types-"));
  try {
    const status = await run("tsc", ["-p", "tsconfig.types.json", "--outDir", emitted]);
    if (status !== 0) throw new Error(`tsc ended with ${status}`);
    await Promise.all(
      Object.entries(libraryEntries).map(([name, source]) =>
        bundleTypes(name, join(emitted, declarationOf(source)), folder),
      ),
    );
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Each entry is a bundle of its own: bundled together, they would share further files. */
async function bundleTypes(name: string, file: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: { [name]: file },
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    // What is read are declarations already: no generator runs, but one must be named.
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: "oxc" })],
    checks: { bundlerTimings: false },
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
}

function declarationOf(source: string): string {
  return source.replace(/^src\//, "").replace(/\.ts$/, ".d.ts");
}
