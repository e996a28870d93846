import type { KubernetesObject } from "../../objects/index.ts";
import type { ResourceRequest } from "./api-context.ts";
import { matchesFields, parseFieldSelector } from "./field-selector.ts";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

/** Which objects a list or watch is about. */
export interface Selection {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined when every object matches, which saves looking at them. */
  readonly matches: ((object: KubernetesObject) => boolean) | undefined;
}

export function readSelection({ request, resource, path }: ResourceRequest): Selection {
  const labels = parseLabelSelector(request.query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(
    request.query.get("fieldSelector") ?? "",
    resource.storageKey,
    resource.custom?.selectableFields,
  );
  const namespace = path.namespace === "" ? undefined : path.namespace;
  const isNamed = path.name !== "";
  if (labels.length === 0 && fields.length === 0 && !isNamed)
    return { namespace, matches: undefined };
  return {
    namespace,
    matches: (object) =>
      (!isNamed || object.metadata.name === path.name) &&
      matchesLabels(labels, object.metadata.labels) &&
      matchesFields(fields, object),
  };
}
