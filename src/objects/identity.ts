import { groupOf } from "./api-version.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** What makes two objects the same object, whatever API version they are written in. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export function identityOf(object: KubernetesObject): ObjectIdentity {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
  };
}

/** A string that is equal exactly when the identities are: a key for maps. */
export function identityKey({ group, kind, namespace, name }: ObjectIdentity): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** The identity that a key is of. */
export function identityOfKey(key: string): ObjectIdentity {
  const [group = "", kind = "", namespace = "", ...name] = key.split("/");
  return { group, kind, namespace, name: name.join("/") };
}

/** The identity as a person reads it: `Deployment.apps web/api`, `Namespace web`. */
export function formatIdentity({ group, kind, namespace, name }: ObjectIdentity): string {
  const type = group === "" ? kind : `${kind}.${group}`;
  return namespace === "" ? `${type} ${name}` : `${type} ${namespace}/${name}`;
}
