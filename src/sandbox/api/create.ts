import type { KubernetesObject } from "../../objects/index.ts";
import { type ApiContext, fieldManagerOf, isDryRun, type ResourceRequest } from "./api-context.ts";
import { completeObject } from "./complete-object.ts";
import { recordUpdate } from "./field-managers.ts";
import { newMetadata, requireNamespace } from "./object-metadata.ts";
import { alreadyExists } from "./status.ts";
import { strategyOf } from "./strategy.ts";
import { validateObject } from "./validate-object.ts";
import { orderedObject } from "./ordered-object.ts";

/** What a write gives back: the object as it is now stored, and what the client should know. */
export interface Written {
  readonly object: KubernetesObject;
  readonly warnings: readonly string[];
  readonly created: boolean;
}

/** Creates an object from what a client sent. */
export function createObject(
  context: ApiContext,
  request: ResourceRequest,
  sent: KubernetesObject,
): Written {
  const { object, warnings } = completeObject(request, sent);
  const metadata = newMetadata(context, request, object);
  const manager = fieldManagerOf(request.request);
  const fresh = finishCreate(context, request, { ...object, metadata }, (complete) =>
    recordUpdate(context, request, { live: undefined, updated: complete, manager }),
  );
  return { object: fresh, warnings, created: true };
}

/** The part of creating that server-side apply shares: admission, validation, the write. */
export function finishCreate(
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
  record: (object: KubernetesObject) => KubernetesObject,
): KubernetesObject {
  const { store } = context;
  const { resource } = request;
  const { name = "", namespace = "" } = object.metadata;
  requireNamespace(context, request, name);
  if (store.get(resource.storageKey, namespace, name) !== undefined)
    throw alreadyExists(resource, name);
  const strategy = strategyOf(resource);
  const prepared = withInitialStatus(object, strategy.initialStatus);
  const counted = strategy.generation
    ? { ...prepared, metadata: { ...prepared.metadata, generation: 1 } }
    : prepared;
  const admitted = strategy.prepareCreate?.(counted, context) ?? counted;
  validateObject(context, request, admitted, undefined);
  const complete = orderedObject(record(admitted));
  if (isDryRun(request.request)) return complete;
  return store.put(resource.storageKey, complete).object;
}

function withInitialStatus(
  object: KubernetesObject,
  initial: "drop" | "keep" | Readonly<Record<string, unknown>>,
): KubernetesObject {
  if (initial === "keep") return object;
  const { status: _status, ...rest } = object;
  return (initial === "drop" ? rest : { ...rest, status: initial }) as KubernetesObject;
}
