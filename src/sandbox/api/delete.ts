import type { KubernetesObject } from "../../objects/index.ts";
import { timestamp } from "../clock.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { validateByAdmission } from "./admission/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { type DeleteBody, hasPolicy, policyOf } from "./delete-options.ts";
import { orderedObject } from "./ordered-object.ts";
import type { ServedResource } from "./served-resource.ts";
import {
  type Status,
  StatusError,
  conflict,
  forbiddenStatus,
  notFoundStatus,
  success,
} from "./status.ts";
import { strategyOf } from "./strategy.ts";

const immortal = ["default", "kube-public", "kube-system"];
function requestOf({ resource, request, warn, path }: Deletion): ResourceRequest {
  const { group, version } = resource;
  const { namespace, name } = path;
  const place = { group, version, resource: resource.resource, subresource: "", rest: "" };
  return {
    resource,
    request,
    path: { ...place, namespace, name },
    ...(warn === undefined ? {} : { warn }),
  };
}

const foreground = "foregroundDeletion";
const orphan = "orphan";

/** Who deletes what. */
export interface Deletion extends Pick<ResourceRequest, "resource" | "request" | "warn"> {
  readonly path: { readonly namespace: string; readonly name: string };
}

/** Deletes an object, or marks it where something must happen before it may go. */
export function deleteObject(
  context: ApiContext,
  deletion: Deletion,
  options: DeleteBody,
): KubernetesObject | Status {
  const { resource, path } = deletion;
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  requirePreconditions(resource, stored, options);
  if (resource.storageKey === "/namespaces" && immortal.includes(path.name)) {
    throw forbiddenStatus(resource, path.name, "this namespace may not be deleted");
  }
  const isDryRun = options.dryRun?.includes("All") ?? false;
  validateByAdmission(context, {
    operation: "DELETE",
    request: requestOf(deletion),
    object: undefined,
    old: stored.object,
    isDryRun,
  });
  const marked = markForDeletion(context, resource, stored.object, options);
  if (marked !== undefined) {
    if (marked === stored.object || isDryRun) return marked;
    return context.store.put(resource.storageKey, orderedObject(marked)).object;
  }
  const deleted = isDryRun
    ? stored
    : context.store.delete(resource.storageKey, path.namespace, path.name);
  if (strategyOf(resource).returnsDeletedObject) return (deleted ?? stored).object;
  return success({
    name: path.name,
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.resource,
    ...(stored.object.metadata.uid === undefined ? {} : { uid: stored.object.metadata.uid }),
  });
}

/** The store refuses these, and names the kind where others name the resource. */
function preconditionFailed(resource: ServedResource, name: string, why: string): StatusError {
  const { status } = conflict(resource, name, `Precondition failed: ${why}`);
  const details = { ...status.details, kind: resource.kind };
  return new StatusError(409, "Conflict", status.message ?? "", details);
}

function requirePreconditions(
  resource: ServedResource,
  { object, name }: StoredObject,
  { preconditions }: DeleteBody,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== object.metadata.uid) {
    throw preconditionFailed(
      resource,
      name,
      `UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid ?? ""}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    throw preconditionFailed(
      resource,
      name,
      `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${object.metadata.resourceVersion ?? ""}`,
    );
  }
}

/** The object with its deletion written into it; undefined when it may go at once. */
function markForDeletion(
  context: ApiContext,
  resource: ServedResource,
  object: KubernetesObject,
  options: DeleteBody,
): KubernetesObject | undefined {
  const { deletionFinalizers = [] } = strategyOf(resource);
  const finalizers = [
    ...new Set([...finalizersAfter(resource, object, options), ...deletionFinalizers]),
  ];
  const grace = gracePeriod(resource, object, options);
  const { metadata } = object;
  const namespaceFinalizers =
    resource.storageKey === "/namespaces" ? namespaceSpecFinalizers(object) : [];
  if (finalizers.length === 0 && grace === 0 && namespaceFinalizers.length === 0) return undefined;
  const earlier = metadata["deletionGracePeriodSeconds"];
  const isMarked = metadata.deletionTimestamp !== undefined;
  const isShorter = isMarked && typeof earlier === "number" && grace < earlier;
  const unchanged = isMarked && !isShorter && sameList(finalizers, metadata.finalizers ?? []);
  if (unchanged) return object;
  const { finalizers: _finalizers, ...rest } = metadata;
  const timed =
    isMarked && !isShorter
      ? {}
      : {
          deletionTimestamp: timestamp(context.clock.now() + grace * 1000),
          deletionGracePeriodSeconds: grace,
          ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
        };
  const marked = {
    ...object,
    metadata: { ...rest, ...timed, ...(finalizers.length === 0 ? {} : { finalizers }) },
  };
  return resource.storageKey === "/namespaces"
    ? { ...marked, status: { phase: "Terminating" } }
    : marked;
}

function finalizersAfter(
  resource: ServedResource,
  { metadata }: KubernetesObject,
  options: DeleteBody,
): readonly string[] {
  const present = metadata.finalizers ?? [];
  const isOrphaned = !hasPolicy(options) && strategyOf(resource).orphansByDefault !== undefined;
  if (!hasPolicy(options) && !isOrphaned) return present;
  const others = present.filter((finalizer) => finalizer !== foreground && finalizer !== orphan);
  const policy = isOrphaned ? "Orphan" : policyOf(options);
  if (policy === "Foreground") return [...others, foreground];
  return policy === "Orphan" ? [...others, orphan] : others;
}

/** Only pods that run somewhere are given time; what was asked for wins over what they say. */
function gracePeriod(
  resource: ServedResource,
  object: KubernetesObject,
  { gracePeriodSeconds }: DeleteBody,
): number {
  if (resource.storageKey !== "/pods") return 0;
  const spec = object["spec"] as
    | { nodeName?: string; terminationGracePeriodSeconds?: number }
    | undefined;
  const { phase } = (object["status"] ?? {}) as { phase?: string };
  if (spec?.nodeName === undefined || phase === "Succeeded" || phase === "Failed") return 0;
  return Math.max(0, gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30);
}

function namespaceSpecFinalizers(object: KubernetesObject): readonly string[] {
  const spec = object["spec"] as { finalizers?: readonly string[] } | undefined;
  return spec?.finalizers ?? [];
}

function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
