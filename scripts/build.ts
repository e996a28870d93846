/** Builds `dist/`: one bundle with lazily loaded parts, the page of the dashboard, and the type declarations. */
import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type OutputChunk, type OutputOptions, rolldown } from "rolldown";
import { buildTypes } from "./build-types.ts";
import { buildWeb } from "./build-web.ts";
import { libraryEntries } from "./library-entries.ts";
import { root } from "./run.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";

// What runs from the last build goes on while this one is made.
const dist = join(root, `.dist-${process.pid}`);
// The compiler is a process of its own: it runs beside the bundler.
const types = buildTypes(join(dist, "types"));

const bundle = await rolldown({
  cwd: root,
  input: {
    ...libraryEntries,
    cli: "src/cli/main.ts",
    "graph-worker": "src/dashboard/graph-worker.ts",
    "program-worker": "src/sources/program/worker.ts",
    "tiltfile-worker": "src/sources/tiltfile/deep-worker.ts",
  },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/"),
  // But for what a worker starts with, no module does anything by being loaded: what nobody uses of a
  // folder is left out.
  treeshake: { moduleSideEffects: (id) => id.endsWith("/program/run-worker.ts") },
  // The groups below decide what is loaded together.
  checks: { ineffectiveDynamicImport: false },
});
const options: OutputOptions = {
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "parts/[name]-[hash].js",
};
const { output } = await bundle.generate(options);
const chunks = new Map(output.filter(isChunk).map((chunk) => [chunk.fileName, chunk]));
const start = modulesOf(["src/cli/main.ts"]);
const engine = modulesOf(["src/cli/commands/live/apply-run.ts", "src/cli/commands/run-source.ts"]);
const programs = modulesOf(["src/index.ts", "src/sources/program/run-worker.ts"]);
await bundle.write({
  ...options,
  // Each file costs Node about a millisecond: what the commands of every day need is in four, and what
  // programs need too is in files without the rest.
  codeSplitting: {
    groups: [
      { name: "base", test: (id) => start.has(id) && programs.has(id), priority: 4 },
      { name: "start", test: (id) => start.has(id), priority: 3 },
      { name: "objects", test: (id) => engine.has(id) && programs.has(id), priority: 2 },
      { name: "engine", test: (id) => engine.has(id), priority: 1 },
    ],
  },
});
await bundle.close();
const bundled = await buildWeb(join(dist, "web"));
await writeFile(join(dist, "THIRD-PARTY-NOTICES.md"), await thirdPartyNotices(bundled));
await types;
await rm(join(root, "dist"), { recursive: true, force: true });
await rename(dist, join(root, "dist"));

function isChunk(each: { readonly type: string }): each is OutputChunk {
  return each.type === "chunk";
}

/** All modules that are loaded with some of them, without those that are only loaded when needed. */
function modulesOf(entries: readonly string[]): ReadonlySet<string> {
  for (const entry of entries)
    if (!existsSync(join(root, entry))) throw new Error(`there is no ${entry} to begin with`);
  const queue = [...chunks.values()].filter(({ moduleIds }) =>
    entries.some((entry) => moduleIds.includes(join(root, entry))),
  );
  const found = new Set(queue);
  for (const chunk of queue)
    for (const name of chunk.imports) {
      const imported = chunks.get(name);
      if (imported === undefined || found.has(imported)) continue;
      found.add(imported);
      queue.push(imported);
    }
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds));
}
