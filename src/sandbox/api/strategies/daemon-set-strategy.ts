import { type JsonValue, equalValues } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { Strategy } from "../strategy.ts";

const annotation = "deprecated.daemonset.template.generation";

/** The number of its template, which an older API had as a field, lives on as an annotation. */
export const daemonSetStrategy: Partial<Strategy> = {
  generation: true,
  initialStatus: "drop",
  decode: (object) =>
    object.metadata.annotations?.[annotation] === undefined ? numbered(object, 0) : object,
  prepareCreate: (object) => numbered(object, 1),
  prepareUpdate: (object, old) => {
    const number = Number(old.metadata.annotations?.[annotation] ?? 1);
    return numbered(object, sameTemplate(object, old) ? number : number + 1);
  },
};

function numbered(object: KubernetesObject, number: number): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [annotation]: String(number) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function sameTemplate(left: KubernetesObject, right: KubernetesObject): boolean {
  const template = (object: KubernetesObject): JsonValue =>
    (object["spec"] as { template?: JsonValue }).template ?? null;
  return equalValues(template(left), template(right));
}
