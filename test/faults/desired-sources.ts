/** The same desired state as every source describes it, read by the engine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { load } from "../../src/engine/index.ts";
import type { Cluster } from "../../src/cluster/index.ts";
import type { DesiredGroup } from "../../src/prepare/index.ts";
import type { Part } from "../contract/parts.ts";
import { bundleObject, yamlText } from "../contract/ways/languages.ts";
import { shop } from "./fault-world.ts";

export const sources = ["yaml", "tiltfile", "bundle"] as const;

export type SourceName = (typeof sources)[number];

const files: Record<SourceName, string> = {
  yaml: "input.yaml",
  tiltfile: "Tiltfile",
  bundle: "bundle.yaml",
};

const texts: Record<SourceName, (parts: readonly Part[]) => string> = {
  yaml: (parts) => yamlText(parts, "default"),
  tiltfile: (parts) => `k8s_yaml(blob(r'''${yamlText(parts, "default")}'''))\n`,
  bundle: (parts) => stringify(bundleObject("all", parts)),
};

/** Reads parts in the language of a source. */
export async function desiredOf(
  source: SourceName,
  parts: readonly Part[],
  cluster: Cluster,
): Promise<{ readonly desired: DesiredGroup; readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "keelson-source-"));
  try {
    const file = join(folder, files[source]);
    writeFileSync(file, texts[source](parts));
    const { name, namespace, id } = shop;
    const loaded = await load(file, {
      cluster,
      inventory: { name, namespace, id },
      host: { workingDirectory: folder },
    });
    const { objects, invalid, components, close } = loaded;
    const program = loaded.kind === "program" ? loaded.program : undefined;
    return { desired: { objects, invalid, components, program }, close };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
