import type { GroupVersionKind } from "../schema/index.ts";
import { fieldSetOf } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";

/**
 * The fields that an endpoint of a kind takes from the stored object whatever the request says:
 * writes to the main endpoint leave the status, writes to `status` leave the rest.
 */
export function resetFieldsOf(
  kind: GroupVersionKind,
  subresource: string | undefined,
  hasStatus: boolean,
): FieldSet | undefined {
  const name = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  if (!hasStatus) return undefined;
  switch (subresource ?? "") {
    case "":
      return mainExceptions[name] ?? status;
    case "finalize":
      return status;
    case "approval":
      return fieldSetOf(["f:spec"], ["f:status", "f:certificate"]);
    case "status":
      return statusExceptions[name] ?? (isBuiltinGroup(kind.group) ? spec : metadataAndSpec);
    default:
      return undefined;
  }
}

const status = fieldSetOf(["f:status"]);
const spec = fieldSetOf(["f:spec"]);
const metadataAndSpec = fieldSetOf(["f:metadata"], ["f:spec"]);

const mainExceptions: Readonly<Record<string, FieldSet>> = {
  "CertificateSigningRequest.certificates.k8s.io": fieldSetOf(["f:spec"], ["f:status"]),
};

const statusExceptions: Readonly<Record<string, FieldSet>> = {
  "Deployment.apps": fieldSetOf(["f:spec"], ["f:metadata", "f:labels"]),
  Pod: fieldSetOf(
    ["f:spec"],
    ["f:metadata", "f:deletionTimestamp"],
    ["f:metadata", "f:ownerReferences"],
  ),
  "CertificateSigningRequest.certificates.k8s.io": fieldSetOf(
    ["f:spec"],
    ["f:status", "f:conditions"],
  ),
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": metadataAndSpec,
  "FlowSchema.flowcontrol.apiserver.k8s.io": metadataAndSpec,
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io": metadataAndSpec,
  "ServiceCIDR.networking.k8s.io": metadataAndSpec,
  "ResourceClaim.resource.k8s.io": metadataAndSpec,
  "VolumeAttachment.storage.k8s.io": metadataAndSpec,
  "CustomResourceDefinition.apiextensions.k8s.io": metadataAndSpec,
  "APIService.apiregistration.k8s.io": metadataAndSpec,
};

function isBuiltinGroup(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}
