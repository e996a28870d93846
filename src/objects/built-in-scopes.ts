import type { ObjectScope } from "./scope.ts";

/** The kinds of Kubernetes itself by group, for when no cluster can be asked. */
const kinds: Readonly<Record<string, { readonly namespaced?: string; readonly cluster?: string }>> =
  {
    "": {
      namespaced:
        "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate " +
        "ReplicationController ResourceQuota Secret Service ServiceAccount",
      cluster: "ComponentStatus Namespace Node PersistentVolume",
    },
    "admissionregistration.k8s.io": {
      cluster:
        "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
        "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
    },
    "apiextensions.k8s.io": { cluster: "CustomResourceDefinition" },
    "apiregistration.k8s.io": { cluster: "APIService" },
    apps: { namespaced: "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet" },
    "authentication.k8s.io": { cluster: "SelfSubjectReview TokenReview" },
    "authorization.k8s.io": {
      namespaced: "LocalSubjectAccessReview",
      cluster: "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    },
    autoscaling: { namespaced: "HorizontalPodAutoscaler" },
    batch: { namespaced: "CronJob Job" },
    "certificates.k8s.io": {
      namespaced: "PodCertificateRequest",
      cluster: "CertificateSigningRequest ClusterTrustBundle",
    },
    "coordination.k8s.io": { namespaced: "Lease LeaseCandidate" },
    "discovery.k8s.io": { namespaced: "EndpointSlice" },
    "events.k8s.io": { namespaced: "Event" },
    "flowcontrol.apiserver.k8s.io": { cluster: "FlowSchema PriorityLevelConfiguration" },
    "internal.apiserver.k8s.io": { cluster: "StorageVersion" },
    "networking.k8s.io": {
      namespaced: "Ingress NetworkPolicy",
      cluster: "IngressClass IPAddress ServiceCIDR",
    },
    "node.k8s.io": { cluster: "RuntimeClass" },
    policy: { namespaced: "Eviction PodDisruptionBudget" },
    "rbac.authorization.k8s.io": {
      namespaced: "Role RoleBinding",
      cluster: "ClusterRole ClusterRoleBinding",
    },
    "resource.k8s.io": {
      namespaced: "ResourceClaim ResourceClaimTemplate",
      cluster: "DeviceClass DeviceTaintRule ResourceSlice",
    },
    "scheduling.k8s.io": { namespaced: "PodGroup Workload", cluster: "PriorityClass" },
    "storage.k8s.io": {
      namespaced: "CSIStorageCapacity",
      cluster: "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
    },
    "storagemigration.k8s.io": { cluster: "StorageVersionMigration" },
  };

/** Scopes by `group/kind`. */
export const builtInScopes: ReadonlyMap<string, ObjectScope> = new Map(
  Object.entries(kinds).flatMap(([group, { namespaced, cluster }]) => [
    ...entries(group, namespaced, "namespaced"),
    ...entries(group, cluster, "cluster"),
  ]),
);

function entries(
  group: string,
  list: string | undefined,
  scope: ObjectScope,
): readonly (readonly [string, ObjectScope])[] {
  return list?.split(" ").map((kind) => [`${group}/${kind}`, scope] as const) ?? [];
}
