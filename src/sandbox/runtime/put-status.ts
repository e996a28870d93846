import { type JsonValue, equalValues } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { InternalClient } from "./internal-client.ts";

/** Writes a status unless it is what the object has already; most looks at an object change nothing. */
export function putStatus(
  client: InternalClient,
  storageKey: string,
  object: KubernetesObject,
  status: object,
): void {
  if (equalValues((object["status"] ?? null) as JsonValue, status as unknown as JsonValue)) return;
  const { namespace = "", name = "" } = object.metadata;
  client.updateStatus(storageKey, namespace, name, () => status);
}
