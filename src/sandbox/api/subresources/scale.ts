import {
  apiVersionOf,
  type KubernetesObject,
  type ManagedFieldsEntry,
} from "../../../objects/index.ts";
import { ownersAfterScale, ownersOfScale } from "../../../merge/index.ts";
import { builtinSchemas } from "../../../schema/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { inVersion } from "../encode-object.ts";
import type { CompleteResponse } from "../request.ts";
import { type ServedResource } from "../served-resource.ts";
import { badRequest, internalError, invalidStatus, notFoundStatus } from "../status.ts";
import { tableResponse, wantsTable } from "../table.ts";
import { updateObject } from "../update.ts";
import { answer } from "./answers.ts";
import { readChange } from "./read-change.ts";
import { replicasPathsOf, scaleOf, type Scale, withReplicas } from "./scale-form.ts";

const gvk = { group: "autoscaling", version: "v1", kind: "Scale" };

/** Scale as a resource, so that what writes any object can write it. */
const scaleResource: ServedResource = {
  ...gvk,
  resource: "scales",
  singular: "scale",
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  subresources: [],
  listKind: "ScaleList",
  storageKey: "autoscaling/scales",
  storageVersion: "v1",
  get schema() {
    return builtinSchemas().get(gvk);
  },
};

export function readScale(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  const { scale, isSet } = scaleOf(inVersion(stored.object, resource), resource);
  if (!isSet && resource.custom !== undefined) {
    const field = resource.custom.scale?.specReplicas ?? "";
    throw internalError(`the spec replicas field "${field}" does not exist`);
  }
  if (wantsTable(request.request)) {
    return tableResponse(
      context,
      { ...request, resource: scaleResource },
      [scale as unknown as KubernetesObject],
      { resourceVersion: scale.metadata.resourceVersion },
    );
  }
  return answer(200, scale);
}

/** Writes the replicas of an object, and who asked for that many, through its Scale. */
export function writeScale(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  if (context.store.get(resource.storageKey, path.namespace, path.name) === undefined) {
    throw notFoundStatus(resource, path.name);
  }
  const change = readChange(context, { ...request, resource: scaleResource });
  const paths = replicasPathsOf(context, resource);
  const warnings: string[] = [];
  const updated = updateObject(context, request, (stored) => {
    const live = inVersion(stored, resource);
    const entries = entriesOf(live);
    const { scale, isSet } = scaleOf(live, resource);
    const managedFields = ownersOfScale(entries, paths);
    const old = { ...scale, metadata: { ...scale.metadata, managedFields } };
    const changed = change((isSet ? old : withoutReplicas(old)) as unknown as KubernetesObject);
    warnings.push(...changed.warnings);
    const wanted = changed.object as unknown as Scale;
    requireReplicas(request, wanted, live);
    return {
      ...withReplicas(live, resource, wanted.spec.replicas ?? 0),
      metadata: {
        ...live.metadata,
        resourceVersion:
          wanted.metadata.resourceVersion ??
          (resource.custom === undefined ? "" : (live.metadata.resourceVersion ?? "")),
        managedFields: ownersAfterScale(
          entries,
          entriesOf(changed.object),
          paths,
          apiVersionOf(resource),
        ),
      },
    };
  });
  return answer(200, scaleOf(inVersion(updated, resource), resource).scale, warnings);
}

function requireReplicas(
  { resource, path }: ResourceRequest,
  { spec, metadata }: Scale,
  live: KubernetesObject,
): void {
  const replicas = spec.replicas ?? 0;
  if (spec.replicas === undefined && resource.custom !== undefined) {
    const field = resource.custom.scale?.specReplicas ?? "";
    throw badRequest(`the spec replicas field "${field}" cannot be empty`);
  }
  if (replicas < 0) {
    throw invalidStatus({ group: "autoscaling", kind: "Scale" }, path.name, [
      {
        type: "FieldValueInvalid",
        field: "spec.replicas",
        detail: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      },
    ]);
  }
  const uid = metadata.uid ?? "";
  if (uid !== "" && uid !== live.metadata.uid) {
    throw badRequest(
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid ?? ""}`,
    );
  }
}

function withoutReplicas(scale: Scale): Scale {
  return { ...scale, spec: {} };
}

function entriesOf({ metadata }: KubernetesObject): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? [];
}
