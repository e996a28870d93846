import { fieldAt, type JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { crdSchema, type Schema } from "../../schema/index.ts";
import { blueprintDefinitions } from "../definitions/index.ts";

const schemas = new Map<string, Schema>();

/** The schema of one of our kinds. */
export function schemaOf({ apiVersion, kind }: KubernetesObject): Schema | undefined {
  const key = `${apiVersion} ${kind}`;
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const definition = blueprintDefinitions.find(
    (each) =>
      fieldAt(each, "spec", "names", "kind") === kind &&
      `${String(fieldAt(each, "spec", "group"))}/${String(fieldAt(each, "spec", "versions", 0, "name"))}` ===
        apiVersion,
  );
  if (definition === undefined) return undefined;
  const openApi = fieldAt(definition, "spec", "versions", 0, "schema", "openAPIV3Schema");
  const schema = crdSchema(openApi as JsonObject);
  schemas.set(key, schema);
  return schema;
}
