import type { KubernetesObject } from "../../objects/index.ts";
import { mutateByAdmission, validateByAdmission } from "./admission/index.ts";
import { type ApiContext, isDryRun, type ResourceRequest } from "./api-context.ts";
import { completeObject } from "./complete-object.ts";
import { inStorageVersion } from "./encode-object.ts";
import { blankObject, recordUpdate } from "./field-managers.ts";
import { newMetadata, requireNamespace } from "./object-metadata.ts";
import type { ServedResource } from "./served-resource.ts";
import { alreadyExists } from "./status.ts";
import { strategyOf } from "./strategy.ts";
import { refuseInvalid } from "./validate-object.ts";
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
  // Owners are found before the server completes the object: nobody owns what it allocates.
  const { managedFields } = recordUpdate(context, request, undefined, object).metadata;
  const fresh = newMetadata(context, request, object);
  const metadata = managedFields === undefined ? fresh : { ...fresh, managedFields };
  const created = finishCreate(context, request, { ...object, metadata });
  return { object: created, warnings, created: true };
}

/** The part of creating that server-side apply shares: admission, validation, the write. */
export function finishCreate(
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
): KubernetesObject {
  const { store } = context;
  const { resource } = request;
  const { name = "", namespace = "" } = object.metadata;
  requireNamespace(context, request, name);
  const strategy = strategyOf(resource);
  const isDry = isDryRun(request.request);
  const write = { operation: "CREATE", request, old: undefined, isDryRun: isDry } as const;
  const mutated = mutateByAdmission(context, { ...write, object });
  const prepared = withInitialStatus(resource, mutated);
  const counted = strategy.generation
    ? { ...prepared, metadata: { ...prepared.metadata, generation: 1 } }
    : prepared;
  const admitted = strategy.prepareCreate?.(counted, context) ?? counted;
  refuseInvalid(context, request, admitted, undefined);
  const charge = validateByAdmission(context, { ...write, object: admitted });
  if (store.get(resource.storageKey, namespace, name) !== undefined) {
    throw alreadyExists(resource, name);
  }
  const complete = orderedObject(inStorageVersion(context, resource, admitted));
  if (isDry) return complete;
  charge();
  return store.put(resource.storageKey, complete).object;
}

function withInitialStatus(resource: ServedResource, object: KubernetesObject): KubernetesObject {
  const { initialStatus } = strategyOf(resource);
  if (initialStatus === "keep") return object;
  const { status: _status, ...rest } = object;
  const status = initialStatus === "drop" ? blankObject(resource)["status"] : initialStatus;
  return status === undefined ? rest : { ...rest, status };
}
