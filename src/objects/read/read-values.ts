import { isJsonObject, type JsonValue } from "../../json/index.ts";
import { asKubernetesObject, checkObject } from "./check-object.ts";
import { flattenList } from "./flatten-list.ts";
import type { SourcedObject } from "./sourced-object.ts";

/**
 * Objects out of documents that a program made, without writing and reading text. Undefined when
 * any is no object: then the text, once written, can be pointed into.
 */
export function objectsFromValues(
  documents: Iterable<JsonValue>,
  origin: Pick<SourcedObject, "file" | "sourceOf">,
): readonly SourcedObject[] | undefined {
  const objects: SourcedObject[] = [];
  for (const document of documents) {
    if (document === null) continue;
    for (const { value } of flattenList(document)) {
      if (!isJsonObject(value) || checkObject(value).length > 0) return undefined;
      objects.push({ ...origin, object: asKubernetesObject(value) });
    }
  }
  return objects;
}
