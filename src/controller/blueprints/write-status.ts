import { type Cluster, isNotFound, type KindView } from "../../cluster/index.ts";
import { equalValues, fieldAt, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

/** Writes a status if it is another one; what it no longer says is taken away. Gives the object as it is then. */
export async function writeStatus(
  cluster: Pick<Cluster, "patch">,
  informer: KindView,
  object: KubernetesObject,
  status: JsonObject,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const before = fieldAt(object, "status") as JsonObject | undefined;
  if (equalValues(before ?? {}, status)) return object;
  const removed = Object.fromEntries(
    Object.keys(before ?? {})
      .filter((field) => !Object.hasOwn(status, field))
      .map((field): [string, JsonValue] => [field, null]),
  );
  const { apiVersion, kind, metadata } = object;
  const { namespace, name = "" } = metadata;
  try {
    const answer = await cluster.patch(
      { apiVersion, kind, namespace, name },
      "merge",
      { status: { ...removed, ...status } },
      { subresource: "status", fieldManager: "keelson-blueprints", signal },
    );
    informer.remember(answer);
    return answer;
  } catch (error) {
    // Deleted meanwhile: nobody is left to be told.
    if (isNotFound(error)) return object;
    throw error;
  }
}
