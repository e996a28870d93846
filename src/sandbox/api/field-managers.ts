import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import type { JsonObject } from "../../json/index.ts";
import {
  type ConfigurationResult,
  type FieldSet,
  type VersionedKind,
  applyConfiguration,
  resetFieldsOf,
  updateManagers,
} from "../../merge/index.ts";
import { emptyObject, type Schema } from "../../schema/index.ts";
import { timestamp } from "../clock.ts";
import { type ApiContext, fieldManagerOf, type ResourceRequest } from "./api-context.ts";
import { convertVersion } from "./convert-version.ts";
import { type ServedResource } from "./served-resource.ts";

/** Writes into an object that was created, updated or patched who set which of its fields. */
export function recordUpdate(
  context: ApiContext,
  request: ResourceRequest,
  live: KubernetesObject | undefined,
  updated: KubernetesObject,
): KubernetesObject {
  const { object } = updateManagers({
    ...versionedKind(context, request),
    live: live === undefined ? blankObject(request.resource) : (live as unknown as JsonObject),
    updated: updated as unknown as JsonObject,
    manager: fieldManagerOf(request.request),
    now: timestamp(context.clock.now()),
  });
  return object as unknown as KubernetesObject;
}

/** What server-side apply makes of the live object and the wishes of one manager. */
export function mergeApplied(
  context: ApiContext,
  request: ResourceRequest,
  live: KubernetesObject | undefined,
  applied: JsonObject,
): ConfigurationResult {
  const empty = blankObject(request.resource);
  return applyConfiguration({
    ...versionedKind(context, request),
    live: live === undefined ? empty : (live as unknown as JsonObject),
    empty,
    applied,
    manager: request.request.query.get("fieldManager") ?? "",
    force: ["true", "1"].includes(request.request.query.get("force") ?? ""),
    now: timestamp(context.clock.now()),
  });
}

type Versioned = VersionedKind & { readonly subresource?: string };

/** Worked out once per resource, table of versions and subresource: every write asks for it. */
const known = new WeakMap<
  ServedResource,
  { readonly versions: readonly ServedResource[]; readonly bySubresource: Map<string, Versioned> }
>();

function versionedKind({ registry }: ApiContext, { resource, path }: ResourceRequest): Versioned {
  const versions = registry.versionsOf(resource.storageKey);
  let entry = known.get(resource);
  if (entry?.versions !== versions) {
    entry = { versions, bySubresource: new Map() };
    known.set(resource, entry);
  }
  let versioned = entry.bySubresource.get(path.subresource);
  if (versioned === undefined) {
    versioned = describeVersions(resource, versions, path.subresource);
    entry.bySubresource.set(path.subresource, versioned);
  }
  return versioned;
}

function describeVersions(
  resource: ServedResource,
  versions: readonly ServedResource[],
  subresource: string,
): Versioned {
  const others = versions.filter((each) => each !== resource);
  const resetFields = new Map<string, FieldSet>();
  for (const each of [resource, ...others]) {
    const fields = resetFieldsOf(each, subresource, hasStatus(each));
    if (fields !== undefined) resetFields.set(apiVersionOf(each), fields);
  }
  return {
    apiVersion: apiVersionOf(resource),
    schema: resource.schema ?? anything,
    otherVersions: new Map(others.map((each) => [apiVersionOf(each), each.schema ?? anything])),
    convert: (object, apiVersion) => {
      const target = others.find((each) => apiVersionOf(each) === apiVersion);
      return target === undefined
        ? object
        : (convertVersion(object as unknown as KubernetesObject, target) as unknown as JsonObject);
    },
    resetFields,
    ...(subresource === "" ? {} : { subresource }),
  };
}

const anything: Schema = { preserveUnknownFields: true };

function hasStatus(resource: ServedResource): boolean {
  return (
    resource.custom?.statusSubresource ??
    resource.subresources.some(({ name }) => name === "status")
  );
}

/** An object with nothing set, as the server makes it before anybody writes to it. */
export function blankObject(resource: ServedResource): JsonObject {
  const { kind, schema } = resource;
  const apiVersion = apiVersionOf(resource);
  return schema?.name === undefined ? { kind, apiVersion } : emptyObject(schema, apiVersion, kind);
}
