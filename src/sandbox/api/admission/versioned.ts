import type { KubernetesObject } from "../../../objects/index.ts";
import { inVersion } from "../encode-object.ts";
import type { ServedResource } from "../served-resource.ts";
import type { AdmissionAttributes } from "./attributes.ts";

/** A write in the version of its resource that a policy or a webhook asked for. */
export interface VersionedAttributes extends AdmissionAttributes {
  readonly matched: ServedResource;
}

export function inMatchedVersion(
  attributes: AdmissionAttributes,
  matched: ServedResource,
): VersionedAttributes {
  const { object, old } = attributes;
  const convert = (each: KubernetesObject | undefined): KubernetesObject | undefined =>
    each === undefined || isOfPart(attributes, each) ? each : inVersion(each, matched);
  return { ...attributes, matched, object: convert(object), old: convert(old) };
}

/** What is sent to a part of an object may be of another kind. */
function isOfPart({ request }: AdmissionAttributes, { kind }: KubernetesObject): boolean {
  return request.path.subresource !== "" && kind !== request.resource.kind;
}
