/** Builds `dist/`: one bundle with lazily loaded parts, the page of the dashboard, and the type declarations. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { buildWeb } from "./build-web.ts";
import { root, run } from "./run.ts";

const dist = join(root, "dist");
await rm(dist, { recursive: true, force: true });

const bundle = await rolldown({
  cwd: root,
  input: {
    index: "src/index.ts",
    cli: "src/cli/main.ts",
    outputs: "src/outputs/index.ts",
    sandbox: "src/sandbox/index.ts",
    blueprints: "src/blueprints/authoring/index.ts",
    controller: "src/controller/index.ts",
    "graph-worker": "src/dashboard/graph-worker.ts",
    "program-worker": "src/sources/program/worker.ts",
  },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/"),
});
await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "parts/[name]-[hash].js",
});
await bundle.close();
await buildWeb(join(dist, "web"));

process.exitCode = await run("tsc", ["-p", "tsconfig.types.json"]);
