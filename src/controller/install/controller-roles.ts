import { blueprintGroups } from "../../blueprints/index.ts";
import { bundleGroup } from "../../bundles/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

export const controllerAccount = "keelson-controller";
const rbac = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];
const write = ["create", "patch", "delete"];

const blueprintStatuses = [
  "workloads/status",
  "deliverables/status",
  "runnables/status",
  "clustersupplychains/status",
  "clusterdeliveries/status",
];

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What the controller needs whatever it looks after. */
const ownRules: readonly Rule[] = [
  { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: read },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  { apiGroups: [bundleGroup], resources: ["bundles", "templates"], verbs: [...read, "patch"] },
  {
    apiGroups: [bundleGroup],
    resources: ["bundles/status", "templates/status", "bundles/finalizers", "templates/finalizers"],
    verbs: ["patch", "update"],
  },
  { apiGroups: blueprintGroups, resources: ["*"], verbs: read },
  {
    apiGroups: blueprintGroups,
    resources: blueprintStatuses,
    verbs: ["patch"],
  },
  // Objects of supply chains are written with the rights of the accounts that their owners name.
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
];

/** What the objects of bundles are, unless a cluster says otherwise. */
const objectRules: readonly Rule[] = [
  {
    apiGroups: [""],
    resources: ["configmaps", "secrets", "services", "serviceaccounts", "persistentvolumeclaims"],
    verbs: [...read, ...write],
  },
  {
    apiGroups: ["apps"],
    resources: ["deployments", "statefulsets", "daemonsets"],
    verbs: [...read, ...write],
  },
  // Pods say why a workload does not become ready.
  { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list"] },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: [...read, ...write] },
  {
    apiGroups: ["networking.k8s.io"],
    resources: ["ingresses", "networkpolicies"],
    verbs: [...read, ...write],
  },
  {
    apiGroups: ["autoscaling"],
    resources: ["horizontalpodautoscalers"],
    verbs: [...read, ...write],
  },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: [...read, ...write] },
];

/** The account of the controller and what it may do: no more than it does. */
export function controllerRoles(namespace: string): readonly KubernetesObject[] {
  const subject = { kind: "ServiceAccount", name: controllerAccount, namespace };
  const bind = (name: string): KubernetesObject => ({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
    subjects: [subject],
  });
  const clusterRole = (name: string, rules: readonly Rule[], words: string): KubernetesObject => ({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name, annotations: { "kubernetes.io/description": words } },
    rules,
  });
  const own = "keelson-controller";
  const objects = "keelson-controller-objects";
  return [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: controllerAccount, namespace },
    },
    clusterRole(own, ownRules, "What the controller of Keelson needs for itself."),
    clusterRole(
      objects,
      objectRules,
      "The kinds that bundles may hold; add those that yours hold.",
    ),
    bind(own),
    bind(objects),
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: { name: own, namespace },
      rules: [
        {
          apiGroups: ["coordination.k8s.io"],
          resources: ["leases"],
          verbs: [...read, "create", "update", "delete"],
        },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name: own, namespace },
      roleRef: { apiGroup: rbac, kind: "Role", name: own },
      subjects: [subject],
    },
  ];
}
