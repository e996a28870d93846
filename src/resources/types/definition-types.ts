import { isJsonObject, objectsIn, type JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { crdSchema } from "../../schema/crd-schema.ts";
import type { Schema } from "../../schema/index.ts";
import { commentOf, fieldsOfSchema } from "./schema-type.ts";
import type { TypeWriting } from "./schema-type.ts";

/** One kind of a definition, in the version that its class stands for. */
interface DefinedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
}

/**
 * A TypeScript module with a typed class for the kind of each custom resource definition; other
 * objects are passed over. The result is undefined where there is no definition at all.
 */
export function definitionTypes(objects: Iterable<KubernetesObject>): string | undefined {
  const kinds = [...objects].flatMap((object) => definedKind(object) ?? []);
  if (kinds.length === 0) return undefined;
  const sorted = kinds.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { kind } of sorted) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const classes = sorted.map((each) =>
    classText(
      each,
      counts.get(each.kind) === 1 ? each.kind : `${prefixOf(each.group)}${each.kind}`,
    ),
  );
  return [
    "// Written by: keelson types. Changes are lost when it is run again.",
    'import { k8s } from "keelson";',
    "",
    ...classes,
  ].join("\n");
}

function definedKind(object: KubernetesObject): DefinedKind | undefined {
  const { spec } = object;
  if (object.kind !== "CustomResourceDefinition" || !isJsonObject(spec)) return undefined;
  const names = spec["names"];
  const kind = isJsonObject(names) ? names["kind"] : undefined;
  const group = spec["group"];
  const version = chosenVersion(spec);
  if (typeof kind !== "string" || typeof group !== "string" || version === undefined) {
    return undefined;
  }
  const name = version["name"];
  const schema = isJsonObject(version["schema"]) ? version["schema"]["openAPIV3Schema"] : undefined;
  if (typeof name !== "string") return undefined;
  return {
    group,
    version: name,
    kind,
    schema: crdSchema(isJsonObject(schema) ? schema : undefined),
  };
}

/** The version that is stored, if it is served, else the first that is. */
function chosenVersion(spec: JsonObject): JsonObject | undefined {
  const served = objectsIn(spec["versions"]).filter((version) => version["served"] !== false);
  return served.find((version) => version["storage"] === true) ?? served[0];
}

function sortKey({ group, kind }: DefinedKind): string {
  return `${group}/${kind}`;
}

/** `example.com` → `Example`: tells kinds of one name in several groups apart. */
function prefixOf(group: string): string {
  return (group.split(".")[0] ?? "")
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

const writing: TypeWriting = {
  nameOf: ({ name }) =>
    name?.endsWith(".ObjectMeta") === true ? "k8s.types.ObjectMeta" : undefined,
  hasComments: true,
};

function classText({ group, version, kind, schema }: DefinedKind, name: string): string {
  const fields = indent(fieldsOfSchema(schema, writing, 0, ["apiVersion", "kind"]));
  return [
    `${commentOf(schema.description)}export interface ${name}Fields ${fields}`,
    `export const ${name} = k8s.kind<${name}Fields>("${group}/${version}", "${kind}");`,
    `export type ${name} = InstanceType<typeof ${name}>;`,
    "",
  ].join("\n");
}

/** Two spaces for each open brace. */
function indent(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) depth -= 1;
      const shown = `${"  ".repeat(Math.max(0, depth))}${line}`;
      if (line.endsWith("{")) depth += 1;
      return shown;
    })
    .join("\n");
}
