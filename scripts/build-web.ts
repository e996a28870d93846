/**
 * Builds the page of the dashboard: everything that it needs, in files of its own.
 * Returns the modules that are part of it.
 */
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin } from "vite";
import { root } from "./run.ts";

export async function buildWeb(folder: string): Promise<readonly string[]> {
  const modules: string[] = [];
  await build({
    configFile: false,
    root: join(root, "web"),
    logLevel: "warn",
    plugins: [svelte({ configFile: false }), listModules(modules)],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2024",
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  return modules;
}

/** Notes the modules of which the page holds something. */
function listModules(modules: string[]): Plugin {
  return {
    name: "list-modules",
    generateBundle: (_options, bundle) => {
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk") continue;
        const used = Object.entries(part.modules).filter(([, { code }]) => code !== null);
        modules.push(...used.map(([id]) => id));
      }
    },
  };
}
