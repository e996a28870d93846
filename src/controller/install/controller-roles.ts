import { blueprintGroups } from "../../blueprints/index.ts";
import { bundleGroup } from "../../bundles/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

export const controllerAccount = "keelson-controller";
const rbac = "rbac.authorization.k8s.io";
const look = ["list", "watch"];

const owners = ["workloads", "deliverables", "runnables"];
const withStatus = [...owners, "clustersupplychains", "clusterdeliveries"];

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What the controller needs whatever it looks after. */
export const ownRules: readonly Rule[] = [
  { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: look },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  // With the finalizers of bundles and owners.
  { apiGroups: [bundleGroup], resources: ["bundles", "templates"], verbs: [...look, "patch"] },
  {
    apiGroups: [bundleGroup],
    resources: ["bundles/status", "templates/status"],
    verbs: ["patch"],
  },
  { apiGroups: blueprintGroups, resources: ["*"], verbs: look },
  {
    apiGroups: blueprintGroups,
    resources: withStatus.map((each) => `${each}/status`),
    verbs: ["patch"],
  },
  { apiGroups: blueprintGroups, resources: owners, verbs: ["patch"] },
  // All objects are written, and all values read, with the rights of accounts that their owners name.
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
  // A namespace that is being deleted may have lost its accounts.
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
];

/** The kinds whose objects are watched, unless a cluster says otherwise: nothing is written. */
export const objectRules: readonly Rule[] = [
  {
    apiGroups: [""],
    resources: ["configmaps", "secrets", "services", "serviceaccounts", "persistentvolumeclaims"],
    verbs: look,
  },
  { apiGroups: ["apps"], resources: ["deployments", "statefulsets", "daemonsets"], verbs: look },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: look },
  {
    apiGroups: ["networking.k8s.io"],
    resources: ["ingresses", "networkpolicies"],
    verbs: look,
  },
  { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: look },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: look },
];

/** Taking Keelson's own finalizer from outputs of bundles whose namespace, and account, are going. */
export const cleanupRules: readonly Rule[] = [
  { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["patch"] },
];

/** The Lease by which one of several controllers leads, in the namespace of these. */
export const leaseRules: readonly Rule[] = [
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", ...look, "create", "update", "delete"],
  },
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
  const cleanup = "keelson-controller-cleanup";
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
      "The kinds that bundles and templates make, which the controller watches; add those of yours.",
    ),
    clusterRole(
      cleanup,
      cleanupRules,
      "Lets the controller take its own finalizer from outputs of bundles in a namespace that is being deleted.",
    ),
    bind(own),
    bind(objects),
    bind(cleanup),
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: { name: own, namespace },
      rules: leaseRules,
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
