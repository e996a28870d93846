import { type Cluster, isNotFound, type KindView, referenceTo } from "../cluster/index.ts";
import { equalValues, fieldAt, type JsonObject, type JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

export interface WriteStatusOptions {
  readonly cluster: Pick<Cluster, "patch">;
  readonly informer: KindView;
  readonly signal: AbortSignal;
  readonly manager: string;
}

/** Writes a status if it is another one; what it no longer says is taken away. Gives the object as it is then. */
export async function writeStatus(
  object: KubernetesObject,
  status: JsonObject,
  { cluster, informer, signal, manager }: WriteStatusOptions,
): Promise<KubernetesObject> {
  const before = fieldAt(object, "status") as JsonObject | undefined;
  if (equalValues(before ?? {}, status)) return object;
  const removed = Object.fromEntries(
    Object.keys(before ?? {})
      .filter((field) => !Object.hasOwn(status, field))
      .map((field): [string, JsonValue] => [field, null]),
  );
  try {
    const answer = await cluster.patch(
      referenceTo(object),
      "merge",
      { status: { ...removed, ...status } },
      { subresource: "status", fieldManager: manager, signal },
    );
    informer.remember(answer);
    return answer;
  } catch (error) {
    // Deleted meanwhile: nobody is left to be told.
    if (isNotFound(error)) return object;
    throw error;
  }
}
