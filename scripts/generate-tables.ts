/**
 * Writes src/sandbox/api/tables/column-data.ts: the columns in which a real API server prints every
 * kind, with their descriptions, which come from places that no schema keeps.
 *
 * Run by hand when the Kubernetes version changes: `node scripts/generate-tables.ts`. It starts a
 * control plane, or uses the one of KEELSON_TEST_KUBECONFIG.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { builtinResources } from "../src/schema/index.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { connectKubeconfigFile } from "../test/conformance/target.ts";
import { root } from "./run.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
const given = process.env["KEELSON_TEST_KUBECONFIG"];
const controlPlane =
  given === undefined ? await startControlPlane({ report: console.log }) : undefined;
const target = connectKubeconfigFile(given ?? controlPlane?.kubeconfig ?? "");
const tables: Record<string, readonly Column[]> = {};
try {
  for (const { group, version, resource, verbs } of builtinResources()) {
    if (!verbs.includes("list")) continue;
    const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = `${base}/${resource}?limit=1`;
    const { text } = await target.send({ method: "GET", path, headers: { accept } });
    const { columnDefinitions } = JSON.parse(text) as { columnDefinitions: readonly Column[] };
    tables[`${group}/${resource}`] = columnDefinitions;
  }
} finally {
  target.close();
  await controlPlane?.stop();
}

const packed = brotliCompressSync(JSON.stringify(tables), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
});
writeFileSync(
  join(root, "src/sandbox/api/tables/column-data.ts"),
  `/** The columns of the built-in kinds: JSON, brotli, base64. Written by scripts/generate-tables.ts. */\nexport const columnData: string =\n  "${packed.toString("base64")}";\n`,
);
