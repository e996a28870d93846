import type { KubernetesObject } from "../../src/objects/index.ts";

/** What somebody may do, as RBAC says it. */
export interface Rights {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export const everything: Rights = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

/** What lets a service account of a namespace do something there: everything, unless it is said. */
export function rightsObjects(
  namespace: string,
  account = "default",
  rules: readonly Rights[] = [everything],
): readonly KubernetesObject[] {
  const group = "rbac.authorization.k8s.io";
  const metadata = { name: `rights-of-${account}`, namespace };
  return [
    { apiVersion: `${group}/v1`, kind: "Role", metadata, rules },
    {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "Role", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    },
  ];
}
