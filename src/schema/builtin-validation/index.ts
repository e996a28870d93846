/**
 * What the server refuses in objects of built-in kinds, in its words: the rules that people meet,
 * one file for each family of kinds. It is not all that the server checks.
 */
import type { JsonObject } from "../../json/index.ts";
import type { FieldError } from "../field-error.ts";
import type { GroupVersionKind } from "../schema.ts";
import {
  validateMutatingBinding,
  validateMutatingPolicy,
  validateValidatingBinding,
  validateValidatingPolicy,
} from "./admission-validation.ts";
import { validateHorizontalPodAutoscaler } from "./autoscaler-validation.ts";
import { validateCronJob, validateJob } from "./job-validation.ts";
import {
  addressNameProblems,
  validateAddressObject,
  validateApiService,
  validateControllerRevision,
  validateIngressClass,
  validateLease,
  validateNamespace,
  validateNewEvent,
  validateNode,
  validateOldEvent,
  validatePriorityClass,
  validateRuntimeClass,
  validateServiceCidr,
  validateSigningRequest,
} from "./cluster-validation.ts";
import {
  validateDeviceClass,
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceSlice,
} from "./device-validation.ts";
import { validateEndpointSlice, validateEndpoints } from "./endpoints-validation.ts";
import { validateFlowSchema, validatePriorityLevel } from "./flow-validation.ts";
import { validateLimitRange, validateResourceQuota } from "./quota-validation.ts";
import {
  validateAccessReview,
  validateLocalAccessReview,
  validateSelfAccessReview,
} from "./review-validation.ts";
import {
  validateCsiCapacity,
  validateCsiDriver,
  validateCsiNode,
  validateStorageClass,
  validateVolumeAttachment,
  validateVolumeAttributesClass,
} from "./storage-class-validation.ts";
import { Checker } from "./checker.ts";
import { validateConfigMap, validateSecret } from "./config-validation.ts";
import { validateCustomResourceDefinition } from "./definition-validation.ts";
import { validateMetadata, validateMetadataUpdate } from "./metadata-validation.ts";
import {
  labelProblems,
  pathPrefixProblems,
  pathSegmentProblems,
  subdomainProblems,
} from "./names.ts";
import type { NameRule } from "./names.ts";
import { validatePodSpec } from "./pod-validation.ts";
import {
  validateClusterRole,
  validateClusterRoleBinding,
  validatePodDisruptionBudget,
  validateRole,
  validateRoleBinding,
} from "./policy-validation.ts";
import { validateIngress, validateNetworkPolicy, validateService } from "./service-validation.ts";
import { validatePersistentVolume, validatePersistentVolumeClaim } from "./storage-validation.ts";
import { updateRules } from "./update-validation.ts";
import { validateWebhookConfiguration } from "./webhook-validation.ts";
import {
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
  validateTemplateMetadata,
} from "./workload-validation.ts";

/** What is wrong with a decoded object of any kind; of kinds without rules, with its metadata. */
export function validateObject(
  kind: GroupVersionKind,
  object: JsonObject,
  isUpdate = false,
): readonly FieldError[] {
  const name = qualified(kind);
  const checker = new Checker(object);
  if (
    name.endsWith("Review.authorization.k8s.io") ||
    name.endsWith("Review.authentication.k8s.io")
  ) {
    rules[name]?.(checker);
    return checker.errors;
  }
  const nameRule = nameRules[name] ?? subdomainProblems;
  const prefixRule = nameRule === pathSegmentProblems ? pathPrefixProblems : nameRule;
  for (const error of validateMetadata(object, {
    nameRule,
    hasKnownFinalizers: hasKnownFinalizers(kind),
    generateNameRule: isUpdate && isLenient(kind, name) ? pathPrefixProblems : prefixRule,
  }))
    checker.add(error);
  rules[name]?.(checker);
  return checker.errors;
}

/** What is wrong with a decoded object that is to replace another, besides {@link validateObject}. */
export function validateObjectUpdate(
  kind: GroupVersionKind,
  object: JsonObject,
  old: JsonObject,
): readonly FieldError[] {
  const checker = new Checker(object);
  for (const error of validateMetadataUpdate(object, old)) checker.add(error);
  updateRules[qualified(kind)]?.(checker, old);
  return checker.errors;
}

/** Kinds of which an update is not judged on how the object was once named. */
const lenientKinds: ReadonlySet<string> = new Set([
  "CSIDriver.storage.k8s.io",
  "CertificateSigningRequest.certificates.k8s.io",
  "ControllerRevision.apps",
  "CronJob.batch",
  "DaemonSet.apps",
  "Deployment.apps",
  "DeviceClass.resource.k8s.io",
  "Endpoints",
  "HorizontalPodAutoscaler.autoscaling",
  "Lease.coordination.k8s.io",
  "MutatingWebhookConfiguration.admissionregistration.k8s.io",
  "NetworkPolicy.networking.k8s.io",
  "PodTemplate",
  "PriorityClass.scheduling.k8s.io",
  "ReplicaSet.apps",
  "ReplicationController",
  "ResourceQuota",
  "ResourceSlice.resource.k8s.io",
  "Service",
  "ServiceCIDR.networking.k8s.io",
  "StatefulSet.apps",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
]);

function isLenient({ group }: GroupVersionKind, name: string): boolean {
  const isCustom = group.includes(".") && !group.endsWith(".k8s.io");
  return isCustom || lenientKinds.has(name);
}

const nameRules: Readonly<Record<string, NameRule>> = {
  Event: pathSegmentProblems,
  "IPAddress.networking.k8s.io": addressNameProblems,
  "PodDisruptionBudget.policy": pathSegmentProblems,
  "StatefulSet.apps": labelProblems,
  "CertificateSigningRequest.certificates.k8s.io": pathSegmentProblems,
  Namespace: labelProblems,
  Service: labelProblems,
  "Role.rbac.authorization.k8s.io": pathSegmentProblems,
  "ClusterRole.rbac.authorization.k8s.io": pathSegmentProblems,
  "RoleBinding.rbac.authorization.k8s.io": pathSegmentProblems,
  "ClusterRoleBinding.rbac.authorization.k8s.io": pathSegmentProblems,
};

const rules: Readonly<Record<string, (object: Checker) => void>> = {
  ConfigMap: validateConfigMap,
  Secret: validateSecret,
  Pod: (object) => {
    const podName = object.at("metadata").text("name");
    validatePodSpec(object.at("spec"), { isPod: true, podName });
  },
  PodTemplate: (object) => {
    validateTemplateMetadata(object.at("template"));
    validatePodSpec(object.at("template").at("spec"));
  },
  ReplicationController: validateReplicationController,
  Endpoints: validateEndpoints,
  Event: validateOldEvent,
  LimitRange: validateLimitRange,
  Namespace: validateNamespace,
  Node: validateNode,
  ResourceQuota: validateResourceQuota,
  "APIService.apiregistration.k8s.io": validateApiService,
  "CertificateSigningRequest.certificates.k8s.io": validateSigningRequest,
  "ControllerRevision.apps": validateControllerRevision,
  "CSIDriver.storage.k8s.io": validateCsiDriver,
  "CSINode.storage.k8s.io": validateCsiNode,
  "CSIStorageCapacity.storage.k8s.io": validateCsiCapacity,
  "EndpointSlice.discovery.k8s.io": validateEndpointSlice,
  "Event.events.k8s.io": validateNewEvent,
  "FlowSchema.flowcontrol.apiserver.k8s.io": validateFlowSchema,
  "IngressClass.networking.k8s.io": validateIngressClass,
  "IPAddress.networking.k8s.io": validateAddressObject,
  "Lease.coordination.k8s.io": validateLease,
  "LocalSubjectAccessReview.authorization.k8s.io": validateLocalAccessReview,
  "PriorityClass.scheduling.k8s.io": validatePriorityClass,
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io": validatePriorityLevel,
  "RuntimeClass.node.k8s.io": validateRuntimeClass,
  "SelfSubjectAccessReview.authorization.k8s.io": validateSelfAccessReview,
  "ServiceCIDR.networking.k8s.io": validateServiceCidr,
  "SubjectAccessReview.authorization.k8s.io": validateAccessReview,
  "VolumeAttachment.storage.k8s.io": validateVolumeAttachment,
  "VolumeAttributesClass.storage.k8s.io": validateVolumeAttributesClass,
  Service: validateService,
  PersistentVolumeClaim: validatePersistentVolumeClaim,
  PersistentVolume: validatePersistentVolume,
  "Deployment.apps": validateDeployment,
  "ReplicaSet.apps": validateReplicaSet,
  "StatefulSet.apps": validateStatefulSet,
  "DaemonSet.apps": validateDaemonSet,
  "DeviceClass.resource.k8s.io": validateDeviceClass,
  "ResourceClaim.resource.k8s.io": validateResourceClaim,
  "ResourceClaimTemplate.resource.k8s.io": validateResourceClaimTemplate,
  "ResourceSlice.resource.k8s.io": validateResourceSlice,
  "Job.batch": validateJob,
  "CronJob.batch": validateCronJob,
  "Ingress.networking.k8s.io": validateIngress,
  "NetworkPolicy.networking.k8s.io": validateNetworkPolicy,
  "StorageClass.storage.k8s.io": validateStorageClass,
  "Role.rbac.authorization.k8s.io": validateRole,
  "ClusterRole.rbac.authorization.k8s.io": validateClusterRole,
  "RoleBinding.rbac.authorization.k8s.io": validateRoleBinding,
  "ClusterRoleBinding.rbac.authorization.k8s.io": validateClusterRoleBinding,
  "HorizontalPodAutoscaler.autoscaling": validateHorizontalPodAutoscaler,
  "PodDisruptionBudget.policy": validatePodDisruptionBudget,
  "CustomResourceDefinition.apiextensions.k8s.io": validateCustomResourceDefinition,
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": validateMutatingPolicy,
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": validateMutatingBinding,
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": validateValidatingPolicy,
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": validateValidatingBinding,
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": validateWebhookConfiguration,
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": validateWebhookConfiguration,
};

/** The groups whose objects have finalizers of Kubernetes itself, or with a path; elsewhere any name will do. */
const groupsOfKnownFinalizers: ReadonlySet<string> = new Set([
  "",
  "apps",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "discovery.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "networking.k8s.io",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
]);

function hasKnownFinalizers({ group }: GroupVersionKind): boolean {
  return groupsOfKnownFinalizers.has(group);
}

function qualified({ group, kind }: GroupVersionKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}
