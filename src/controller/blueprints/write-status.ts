import { type Cluster, isNotFound } from "../../cluster/index.ts";
import {
  equalValues,
  fieldAt,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "../../objects/index.ts";
import type { SharedInformer } from "../runtime/shared-informer.ts";

/** Writes a status if it is another one; what it no longer says is taken away. */
export async function writeStatus(
  cluster: Pick<Cluster, "patch">,
  informer: SharedInformer,
  object: KubernetesObject,
  status: JsonObject,
  signal: AbortSignal,
): Promise<boolean> {
  const before = fieldAt(object, "status") as JsonObject | undefined;
  if (equalValues(before ?? {}, status)) return false;
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
    return true;
  } catch (error) {
    // Deleted meanwhile: nobody is left to be told.
    if (isNotFound(error)) return false;
    throw error;
  }
}
