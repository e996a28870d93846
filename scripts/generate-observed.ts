/**
 * Writes down what only a running API server tells: the columns in which it prints every kind, and
 * how OpenAPI describes the types that are one scalar in JSON.
 *
 * Run by hand when the Kubernetes version changes: `node scripts/generate-observed.ts`. It starts a
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

interface OpenApiNode {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: OpenApiNode;
  readonly properties?: Readonly<Record<string, OpenApiNode>>;
}

const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
const given = process.env["KEELSON_TEST_KUBECONFIG"];
const controlPlane =
  given === undefined ? await startControlPlane({ report: console.log }) : undefined;
const target = connectKubeconfigFile(given ?? controlPlane?.kubeconfig ?? "");
const scalarNames = [
  "io.k8s.apimachinery.pkg.api.resource.Quantity",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
  "io.k8s.apimachinery.pkg.runtime.RawExtension",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
];
const scalars: Record<string, unknown> = {};
const enums: Record<string, readonly [values: readonly unknown[], text: string]> = {};
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
  const versions = new Set(
    builtinResources().map(({ group, version }) =>
      group === "" ? `api/${version}` : `apis/${group}/${version}`,
    ),
  );
  for (const path of versions) readDocument(await openApi(path));
} finally {
  target.close();
  await controlPlane?.stop();
}

async function openApi(path: string): Promise<Readonly<Record<string, OpenApiNode>>> {
  const { text } = await target.send({ method: "GET", path: `/openapi/v3/${path}`, headers: {} });
  return (JSON.parse(text) as { components: { schemas: Record<string, OpenApiNode> } }).components
    .schemas;
}

/** Which values a field may have is in the source of the types, and in no schema of a release. */
function readDocument(schemas: Readonly<Record<string, OpenApiNode>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if (scalarNames.includes(name)) scalars[name] = schema;
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const values = property.enum ?? property.items?.enum;
      if (values === undefined) continue;
      const { description = "" } = property;
      const at = description.indexOf("\n\nPossible enum values:");
      enums[`${name}.${key}`] = [values, at < 0 ? "" : description.slice(at)];
    }
  }
}

write("openapi/enum-data", "enumData", "The values that fields may have", enums);
write("tables/column-data", "columnData", "The columns of the built-in kinds", tables);
write("openapi/scalar-data", "scalarData", "The types that are one scalar in JSON", scalars);

function write(file: string, name: string, what: string, value: unknown): void {
  const packed = brotliCompressSync(JSON.stringify(value), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  writeFileSync(
    join(root, "src/sandbox/api", `${file}.ts`),
    `/** ${what}: JSON, brotli, base64. Written by scripts/generate-observed.ts. */\nexport const ${name}: string =\n  "${packed.toString("base64")}";\n`,
  );
}
