import type { KubernetesObject, ObjectMeta } from "../../objects/index.ts";
import { timestamp } from "../clock.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import {
  StatusError,
  badRequest,
  forbiddenStatus,
  invalidStatus,
  notFoundStatus,
} from "./status.ts";

const suffixLength = 5;
const longestGeneratedName = 63;

/** The metadata of a new object: name, namespace, uid and times, whatever the client wrote there. */
export function newMetadata(
  context: ApiContext,
  { path, resource }: ResourceRequest,
  object: KubernetesObject,
): ObjectMeta {
  const { metadata } = object;
  if ((metadata.resourceVersion ?? "") !== "") {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  const {
    uid: _uid,
    selfLink: _selfLink,
    deletionTimestamp: _deletion,
    generation: _generation,
    ...kept
  } = metadata;
  const { deletionGracePeriodSeconds: _grace, managedFields: _managed, ...rest } = kept;
  const name = nameOf(context, metadata, resource);
  const namespace = namespaceOf(path.namespace, metadata.namespace, resource.namespaced);
  return {
    name,
    ...(metadata.generateName === undefined ? {} : { generateName: metadata.generateName }),
    ...(namespace === "" ? {} : { namespace }),
    ...withoutKeys(rest, [
      "name",
      "generateName",
      "namespace",
      "creationTimestamp",
      "resourceVersion",
    ]),
    uid: context.random.uuid(),
    creationTimestamp: timestamp(context.clock.now()),
  };
}

function nameOf(
  context: ApiContext,
  metadata: ObjectMeta,
  resource: ResourceRequest["resource"],
): string {
  if ((metadata.name ?? "") !== "") return metadata.name ?? "";
  const prefix = metadata.generateName ?? "";
  // The only objects that need no name.
  if (prefix === "" && resource.storageKey === "/limitranges") return context.random.uuid();
  if (prefix !== "")
    return (
      prefix.slice(0, longestGeneratedName - suffixLength) + context.random.suffix(suffixLength)
    );
  throw invalidStatus(resource, "", [
    {
      type: "FieldValueRequired",
      field: "metadata.name",
      detail: "Required value: name or generateName is required",
    },
  ]);
}

function namespaceOf(requested: string, written: string | undefined, namespaced: boolean): string {
  // Whatever is written there.
  if (!namespaced) return "";
  if ((written ?? "") !== "" && written !== requested) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return requested;
}

/** New content needs a namespace that exists and is not on its way out. */
export function requireNamespace(
  { store }: ApiContext,
  { resource, path }: ResourceRequest,
  name: string,
): void {
  if (!resource.namespaced) return;
  const namespace = store.get("/namespaces", "", path.namespace);
  if (namespace === undefined)
    throw notFoundStatus({ group: "", resource: "namespaces" }, path.namespace);
  if (namespace.object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${path.namespace} because it is being terminated`;
  const { status } = forbiddenStatus(resource, name, why);
  throw new StatusError(403, "Forbidden", status.message ?? "", {
    ...status.details,
    causes: [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${path.namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  });
}

function withoutKeys(metadata: ObjectMeta, keys: readonly string[]): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !keys.includes(key)));
}
