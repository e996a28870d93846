import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import {
  type FieldError,
  validate,
  validateObject as validateKind,
  validateObjectUpdate,
} from "../../schema/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { requireNoEscalation } from "./authorization/escalation.ts";
import { invalidStatus } from "./status.ts";
import { ruleErrors } from "./validation-rules.ts";

/** Refuses an object that breaks the rules of its kind, or that cannot follow the old one. */
export function refuseInvalid(
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): void {
  const { resource, path } = request;
  const value = object as unknown as JsonObject;
  const errors: FieldError[] = [];
  if (!isValidatedAlready(resource, object, old)) {
    errors.push(...validateKind(resource, value, old !== undefined));
  }
  if (resource.custom !== undefined && resource.schema !== undefined) {
    errors.push(...validate(resource.schema, value, "", old as unknown as JsonObject | undefined));
  }
  const former = old as unknown as JsonObject | undefined;
  errors.push(...ruleErrors(resource, value, former, errors, request.warn ?? (() => undefined)));
  if (old !== undefined) {
    errors.push(...validateObjectUpdate(resource, value, formerOf(path, object, old)));
    errors.push(...newFinalizers(object, old));
  }
  if (errors.length > 0) throw invalidStatus(resource, object.metadata.name ?? "", errors);
  for (const text of objectWarnings(resource, object, old)) request.warn?.(text);
  requireNoEscalation(context, request, object, old);
}

/** What the server takes, and advises against. */
function objectWarnings(
  { custom, kind, group }: ResourceRequest["resource"],
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): readonly string[] {
  if (custom !== undefined) {
    const before = old?.metadata.finalizers ?? [];
    return (object.metadata.finalizers ?? [])
      .filter((name) => !name.includes("/") && !before.includes(name))
      .map(
        (name) =>
          `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
      );
  }
  const { trafficDistribution } = (object["spec"] ?? {}) as { trafficDistribution?: string };
  return kind === "Service" && group === "" && trafficDistribution === "PreferClose"
    ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
    : [];
}

/** What is written to a status leaves the very rest of the object that was validated before. */
function isValidatedAlready(
  { kind }: ResourceRequest["resource"],
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): boolean {
  // Of definitions the status is validated too.
  if (old === undefined || kind === "CustomResourceDefinition") return false;
  return (
    validatedMetadata.every((key) => object.metadata[key] === old.metadata[key]) &&
    [...Object.keys(object), ...Object.keys(old)].every(
      (key) => key === "metadata" || key === "status" || object[key] === old[key],
    )
  );
}

const validatedMetadata = [
  "name",
  "generateName",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
];

/** Through the parts of a pod its spec may change in ways that are forbidden through the pod. */
function formerOf(
  { subresource }: ResourceRequest["path"],
  object: KubernetesObject,
  old: KubernetesObject,
): JsonObject {
  const isPart = subresource === "ephemeralcontainers" || subresource === "resize";
  return (isPart ? { ...old, spec: object["spec"] } : old) as unknown as JsonObject;
}

/** Who is on the way out can be released, but not held by anyone new. */
function newFinalizers(object: KubernetesObject, old: KubernetesObject): readonly FieldError[] {
  if (old.metadata.deletionTimestamp === undefined) return [];
  const before = old.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter(
    (finalizer) => !before.includes(finalizer),
  );
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  const detail = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ type: "FieldValueForbidden", field: "metadata.finalizers", detail }];
}
