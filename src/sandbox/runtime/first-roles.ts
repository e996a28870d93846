import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import {
  type DefaultRule,
  defaultBindings,
  defaultRoles,
} from "../api/authorization/default-roles.ts";
import type { PolicyRule } from "../api/authorization/policy-rule.ts";
import { InternalClient } from "./internal-client.ts";

const group = "rbac.authorization.k8s.io";
export const aggregationPrefix = `${group}/aggregate-to-`;

/** Makes the roles that every cluster has, and gives them to the groups that always have them. */
export function createFirstRoles(context: ApiContext): void {
  const client = new InternalClient(context, "kube-apiserver");
  for (const { name, aggregates, aggregatedTo, rules = [] } of defaultRoles) {
    const labels =
      aggregatedTo === undefined ? {} : { [`${aggregationPrefix}${aggregatedTo}`]: "true" };
    createOnce(client, "clusterroles", {
      kind: "ClusterRole",
      apiVersion: `${group}/v1`,
      metadata: firstMetadata(name, labels),
      ...(aggregates === undefined
        ? { rules: rules.map(policyRule) }
        : {
            rules: null,
            aggregationRule: {
              clusterRoleSelectors: [
                { matchLabels: { [`${aggregationPrefix}${aggregates}`]: "true" } },
              ],
            },
          }),
    });
  }
  for (const { role, groups } of defaultBindings) {
    createOnce(client, "clusterrolebindings", {
      kind: "ClusterRoleBinding",
      apiVersion: `${group}/v1`,
      metadata: firstMetadata(role),
      roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
      subjects: groups.map((name) => ({ kind: "Group", apiGroup: group, name })),
    });
  }
}

function firstMetadata(
  name: string,
  labels: Readonly<Record<string, string>> = {},
): KubernetesObject["metadata"] {
  return {
    name,
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}

function policyRule({ verbs, groups, resources, paths }: DefaultRule): PolicyRule {
  return {
    verbs: verbs.split(" "),
    ...(groups === undefined
      ? {}
      : { apiGroups: groups.split(" ").map((each) => (each === "core" ? "" : each)) }),
    ...(resources === undefined ? {} : { resources: resources.split(" ") }),
    ...(paths === undefined ? {} : { nonResourceURLs: paths.split(" ") }),
  };
}

function createOnce(client: InternalClient, resource: string, object: KubernetesObject): void {
  const key = `${group}/${resource}`;
  if (client.get(key, "", object.metadata.name ?? "") === undefined) client.create(key, object);
}
