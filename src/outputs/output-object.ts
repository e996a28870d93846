import type { KubernetesObject, OwnerReference } from "../objects/index.ts";
import { type ContentFields, contentFieldsOf, sameContents } from "./output-contents.ts";

/** The label by which the outputs of a claim are found again; its value is the uid of the claim. */
export const outputOfLabel = "keelson.dev/output-of";

export function ownerReferenceTo({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** A new output; it goes when its claim goes. */
export function outputObject(
  claim: KubernetesObject,
  kind: string,
  name: string,
  fields: ContentFields,
): KubernetesObject {
  const { namespace = "", uid = "" } = claim.metadata;
  return {
    apiVersion: "v1",
    kind,
    metadata: {
      name,
      namespace,
      labels: { [outputOfLabel]: uid },
      ownerReferences: [ownerReferenceTo(claim)],
    },
    ...fields,
  };
}

/** The output with other contents; all that others have put on it stays. */
export function withContents(live: KubernetesObject, fields: ContentFields): KubernetesObject {
  const { data: _data, binaryData: _binary, type: _type, ...rest } = live;
  return { ...(rest as KubernetesObject), ...fields };
}

export function holdsContents(live: KubernetesObject, fields: ContentFields): boolean {
  return sameContents(contentFieldsOf(live), fields);
}

export function isLeaving({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

const longestName = 253;

/** The name of a claim with something that makes it this output's. */
export function outputName(claim: KubernetesObject, suffix: string): string {
  const { name = "" } = claim.metadata;
  const prefix = name.slice(0, longestName - suffix.length - 1).replace(/[-.]+$/, "");
  return `${prefix}-${suffix}`;
}
