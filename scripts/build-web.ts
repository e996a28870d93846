/** Builds the page of the dashboard: everything that it needs, in files of its own. */
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";
import { root } from "./run.ts";

export async function buildWeb(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: join(root, "web"),
    logLevel: "warn",
    plugins: [svelte({ configFile: false })],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2024",
      assetsInlineLimit: 0,
      modulePreload: false,
    },
  });
}
