/** The classes of the built-in kinds. Written by scripts/generate-kinds.ts. */
import type { KubernetesClass, KubernetesResource } from "./kubernetes-class.ts";
import { namedClass } from "./named-class.ts";
import type * as types from "./types.ts";

export type APIService = KubernetesResource<types.APIService>;
export const APIService: KubernetesClass<types.APIService> = namedClass(
  "apiregistration.k8s.io/v1",
  "APIService",
);

export type CSIDriver = KubernetesResource<types.CSIDriver>;
export const CSIDriver: KubernetesClass<types.CSIDriver> = namedClass(
  "storage.k8s.io/v1",
  "CSIDriver",
);

export type CSINode = KubernetesResource<types.CSINode>;
export const CSINode: KubernetesClass<types.CSINode> = namedClass("storage.k8s.io/v1", "CSINode");

export type CSIStorageCapacity = KubernetesResource<types.CSIStorageCapacity>;
export const CSIStorageCapacity: KubernetesClass<types.CSIStorageCapacity> = namedClass(
  "storage.k8s.io/v1",
  "CSIStorageCapacity",
);

export type CertificateSigningRequest = KubernetesResource<types.CertificateSigningRequest>;
export const CertificateSigningRequest: KubernetesClass<types.CertificateSigningRequest> =
  namedClass("certificates.k8s.io/v1", "CertificateSigningRequest");

export type ClusterRole = KubernetesResource<types.ClusterRole>;
export const ClusterRole: KubernetesClass<types.ClusterRole> = namedClass(
  "rbac.authorization.k8s.io/v1",
  "ClusterRole",
);

export type ClusterRoleBinding = KubernetesResource<types.ClusterRoleBinding>;
export const ClusterRoleBinding: KubernetesClass<types.ClusterRoleBinding> = namedClass(
  "rbac.authorization.k8s.io/v1",
  "ClusterRoleBinding",
);

export type ConfigMap = KubernetesResource<types.ConfigMap>;
export const ConfigMap: KubernetesClass<types.ConfigMap> = namedClass("v1", "ConfigMap");

export type ControllerRevision = KubernetesResource<types.ControllerRevision>;
export const ControllerRevision: KubernetesClass<types.ControllerRevision> = namedClass(
  "apps/v1",
  "ControllerRevision",
);

export type CronJob = KubernetesResource<types.CronJob>;
export const CronJob: KubernetesClass<types.CronJob> = namedClass("batch/v1", "CronJob");

export type CustomResourceDefinition = KubernetesResource<types.CustomResourceDefinition>;
export const CustomResourceDefinition: KubernetesClass<types.CustomResourceDefinition> = namedClass(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
);

export type DaemonSet = KubernetesResource<types.DaemonSet>;
export const DaemonSet: KubernetesClass<types.DaemonSet> = namedClass("apps/v1", "DaemonSet");

export type Deployment = KubernetesResource<types.Deployment>;
export const Deployment: KubernetesClass<types.Deployment> = namedClass("apps/v1", "Deployment");

export type DeviceClass = KubernetesResource<types.DeviceClass>;
export const DeviceClass: KubernetesClass<types.DeviceClass> = namedClass(
  "resource.k8s.io/v1",
  "DeviceClass",
);

export type EndpointSlice = KubernetesResource<types.EndpointSlice>;
export const EndpointSlice: KubernetesClass<types.EndpointSlice> = namedClass(
  "discovery.k8s.io/v1",
  "EndpointSlice",
);

export type Endpoints = KubernetesResource<types.Endpoints>;
export const Endpoints: KubernetesClass<types.Endpoints> = namedClass("v1", "Endpoints");

export type Event = KubernetesResource<types.CoreEvent>;
export const Event: KubernetesClass<types.CoreEvent> = namedClass("v1", "Event");

export type FlowSchema = KubernetesResource<types.FlowSchema>;
export const FlowSchema: KubernetesClass<types.FlowSchema> = namedClass(
  "flowcontrol.apiserver.k8s.io/v1",
  "FlowSchema",
);

export type HorizontalPodAutoscaler =
  KubernetesResource<types.AutoscalingV2HorizontalPodAutoscaler>;
export const HorizontalPodAutoscaler: KubernetesClass<types.AutoscalingV2HorizontalPodAutoscaler> =
  namedClass("autoscaling/v2", "HorizontalPodAutoscaler");

export type IPAddress = KubernetesResource<types.IPAddress>;
export const IPAddress: KubernetesClass<types.IPAddress> = namedClass(
  "networking.k8s.io/v1",
  "IPAddress",
);

export type Ingress = KubernetesResource<types.Ingress>;
export const Ingress: KubernetesClass<types.Ingress> = namedClass(
  "networking.k8s.io/v1",
  "Ingress",
);

export type IngressClass = KubernetesResource<types.IngressClass>;
export const IngressClass: KubernetesClass<types.IngressClass> = namedClass(
  "networking.k8s.io/v1",
  "IngressClass",
);

export type Job = KubernetesResource<types.Job>;
export const Job: KubernetesClass<types.Job> = namedClass("batch/v1", "Job");

export type Lease = KubernetesResource<types.Lease>;
export const Lease: KubernetesClass<types.Lease> = namedClass("coordination.k8s.io/v1", "Lease");

export type LimitRange = KubernetesResource<types.LimitRange>;
export const LimitRange: KubernetesClass<types.LimitRange> = namedClass("v1", "LimitRange");

export type MutatingAdmissionPolicy = KubernetesResource<types.MutatingAdmissionPolicy>;
export const MutatingAdmissionPolicy: KubernetesClass<types.MutatingAdmissionPolicy> = namedClass(
  "admissionregistration.k8s.io/v1",
  "MutatingAdmissionPolicy",
);

export type MutatingAdmissionPolicyBinding =
  KubernetesResource<types.MutatingAdmissionPolicyBinding>;
export const MutatingAdmissionPolicyBinding: KubernetesClass<types.MutatingAdmissionPolicyBinding> =
  namedClass("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding");

export type MutatingWebhookConfiguration = KubernetesResource<types.MutatingWebhookConfiguration>;
export const MutatingWebhookConfiguration: KubernetesClass<types.MutatingWebhookConfiguration> =
  namedClass("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration");

export type Namespace = KubernetesResource<types.Namespace>;
export const Namespace: KubernetesClass<types.Namespace> = namedClass("v1", "Namespace");

export type NetworkPolicy = KubernetesResource<types.NetworkPolicy>;
export const NetworkPolicy: KubernetesClass<types.NetworkPolicy> = namedClass(
  "networking.k8s.io/v1",
  "NetworkPolicy",
);

export type Node = KubernetesResource<types.Node>;
export const Node: KubernetesClass<types.Node> = namedClass("v1", "Node");

export type PersistentVolume = KubernetesResource<types.PersistentVolume>;
export const PersistentVolume: KubernetesClass<types.PersistentVolume> = namedClass(
  "v1",
  "PersistentVolume",
);

export type PersistentVolumeClaim = KubernetesResource<types.PersistentVolumeClaim>;
export const PersistentVolumeClaim: KubernetesClass<types.PersistentVolumeClaim> = namedClass(
  "v1",
  "PersistentVolumeClaim",
);

export type Pod = KubernetesResource<types.Pod>;
export const Pod: KubernetesClass<types.Pod> = namedClass("v1", "Pod");

export type PodDisruptionBudget = KubernetesResource<types.PodDisruptionBudget>;
export const PodDisruptionBudget: KubernetesClass<types.PodDisruptionBudget> = namedClass(
  "policy/v1",
  "PodDisruptionBudget",
);

export type PodTemplate = KubernetesResource<types.PodTemplate>;
export const PodTemplate: KubernetesClass<types.PodTemplate> = namedClass("v1", "PodTemplate");

export type PriorityClass = KubernetesResource<types.PriorityClass>;
export const PriorityClass: KubernetesClass<types.PriorityClass> = namedClass(
  "scheduling.k8s.io/v1",
  "PriorityClass",
);

export type PriorityLevelConfiguration = KubernetesResource<types.PriorityLevelConfiguration>;
export const PriorityLevelConfiguration: KubernetesClass<types.PriorityLevelConfiguration> =
  namedClass("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration");

export type ReplicaSet = KubernetesResource<types.ReplicaSet>;
export const ReplicaSet: KubernetesClass<types.ReplicaSet> = namedClass("apps/v1", "ReplicaSet");

export type ReplicationController = KubernetesResource<types.ReplicationController>;
export const ReplicationController: KubernetesClass<types.ReplicationController> = namedClass(
  "v1",
  "ReplicationController",
);

export type ResourceClaim = KubernetesResource<types.ResourceResourceClaim>;
export const ResourceClaim: KubernetesClass<types.ResourceResourceClaim> = namedClass(
  "resource.k8s.io/v1",
  "ResourceClaim",
);

export type ResourceClaimTemplate = KubernetesResource<types.ResourceClaimTemplate>;
export const ResourceClaimTemplate: KubernetesClass<types.ResourceClaimTemplate> = namedClass(
  "resource.k8s.io/v1",
  "ResourceClaimTemplate",
);

export type ResourceQuota = KubernetesResource<types.ResourceQuota>;
export const ResourceQuota: KubernetesClass<types.ResourceQuota> = namedClass(
  "v1",
  "ResourceQuota",
);

export type ResourceSlice = KubernetesResource<types.ResourceSlice>;
export const ResourceSlice: KubernetesClass<types.ResourceSlice> = namedClass(
  "resource.k8s.io/v1",
  "ResourceSlice",
);

export type Role = KubernetesResource<types.Role>;
export const Role: KubernetesClass<types.Role> = namedClass("rbac.authorization.k8s.io/v1", "Role");

export type RoleBinding = KubernetesResource<types.RoleBinding>;
export const RoleBinding: KubernetesClass<types.RoleBinding> = namedClass(
  "rbac.authorization.k8s.io/v1",
  "RoleBinding",
);

export type RuntimeClass = KubernetesResource<types.RuntimeClass>;
export const RuntimeClass: KubernetesClass<types.RuntimeClass> = namedClass(
  "node.k8s.io/v1",
  "RuntimeClass",
);

export type Secret = KubernetesResource<types.Secret>;
export const Secret: KubernetesClass<types.Secret> = namedClass("v1", "Secret");

export type Service = KubernetesResource<types.Service>;
export const Service: KubernetesClass<types.Service> = namedClass("v1", "Service");

export type ServiceAccount = KubernetesResource<types.ServiceAccount>;
export const ServiceAccount: KubernetesClass<types.ServiceAccount> = namedClass(
  "v1",
  "ServiceAccount",
);

export type ServiceCIDR = KubernetesResource<types.ServiceCIDR>;
export const ServiceCIDR: KubernetesClass<types.ServiceCIDR> = namedClass(
  "networking.k8s.io/v1",
  "ServiceCIDR",
);

export type StatefulSet = KubernetesResource<types.StatefulSet>;
export const StatefulSet: KubernetesClass<types.StatefulSet> = namedClass("apps/v1", "StatefulSet");

export type StorageClass = KubernetesResource<types.StorageClass>;
export const StorageClass: KubernetesClass<types.StorageClass> = namedClass(
  "storage.k8s.io/v1",
  "StorageClass",
);

export type ValidatingAdmissionPolicy = KubernetesResource<types.ValidatingAdmissionPolicy>;
export const ValidatingAdmissionPolicy: KubernetesClass<types.ValidatingAdmissionPolicy> =
  namedClass("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy");

export type ValidatingAdmissionPolicyBinding =
  KubernetesResource<types.ValidatingAdmissionPolicyBinding>;
export const ValidatingAdmissionPolicyBinding: KubernetesClass<types.ValidatingAdmissionPolicyBinding> =
  namedClass("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding");

export type ValidatingWebhookConfiguration =
  KubernetesResource<types.ValidatingWebhookConfiguration>;
export const ValidatingWebhookConfiguration: KubernetesClass<types.ValidatingWebhookConfiguration> =
  namedClass("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration");

export type VolumeAttachment = KubernetesResource<types.VolumeAttachment>;
export const VolumeAttachment: KubernetesClass<types.VolumeAttachment> = namedClass(
  "storage.k8s.io/v1",
  "VolumeAttachment",
);

export type VolumeAttributesClass = KubernetesResource<types.VolumeAttributesClass>;
export const VolumeAttributesClass: KubernetesClass<types.VolumeAttributesClass> = namedClass(
  "storage.k8s.io/v1",
  "VolumeAttributesClass",
);
