import {
  deleteLive,
  describeRefusal,
  objectChange,
  releaseObject,
  writeObject,
  type WrittenObject,
} from "../../apply/index.ts";
import {
  type Bundle,
  type BundleAction,
  bundleFinalizer,
  bundleLabel,
  bundleManager,
  isOfBundle,
  isOwnReference,
  type OutputObject,
  outputFinalizer,
  plannedObjectsAnnotation,
  troubleOfObject,
} from "../../bundles/index.ts";
import { type Cluster, isApiError, isNotFound, referenceTo } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import { AccountError } from "../account-error.ts";
import { findTaken } from "../find-taken.ts";
import { isTerminating } from "../is-terminating.ts";
import {
  asBundleObject,
  compareObjects,
  identityIn,
  type BundlePass,
  type BundleServices,
} from "./bundle-pass.ts";

/** Carries out one kind of step; what fails for one resource is noted and does not stop the others. */
export async function carryOut(
  action: BundleAction,
  bundle: Bundle,
  pass: BundlePass,
  services: BundleServices,
): Promise<void> {
  switch (action.kind) {
    case "apply":
      await noting(
        action.resource,
        action.object,
        liveOf(action.object, bundle, services),
        pass,
        () => applyObject(action.resource, action.object, bundle, pass, services),
      );
      return;
    case "hold":
    case "release":
      await noting(`output ${action.output.name}`, undefined, undefined, pass, () =>
        setFinalizer(action.kind === "hold", action.output, bundle, pass, services),
      );
      return;
    case "delete":
    case "detach":
      await noting(troubleOfObject(action.object), action.live, action.live, pass, () =>
        removeObject(action, bundle, pass, services),
      );
      return;
    // These concern the bundle itself; whoever looks at it does them.
    case "finalize":
    case "let-go":
    case "record":
      return;
  }
}

/** The object as the watch of its kind knows it. */
function liveOf(
  object: KubernetesObject,
  { namespace }: Bundle,
  { children }: BundleServices,
): KubernetesObject | undefined {
  return children.of(object)?.get(identityIn(asBundleObject(object), namespace));
}

async function applyObject(
  resource: string,
  object: KubernetesObject,
  bundle: Bundle,
  pass: BundlePass,
  services: BundleServices,
): Promise<void> {
  const { children, guard, knowledge, replacing } = services;
  const informer = children.of(object);
  const onRetry = pass.notes.onRetry(resource);
  let live = liveOf(object, bundle, services);
  const write = (createsOnly: boolean): Promise<WrittenObject> =>
    pass.as((cluster) =>
      writeObject(object, live, {
        cluster,
        manager: bundleManager,
        force: true,
        createsOnly,
        onRetry,
      }),
    );
  let written: WrittenObject;
  try {
    // The watches tell only of objects of bundles; this name may be taken by another one.
    written = await write(true);
  } catch (error) {
    if (live !== undefined || !isApiError(error, "Conflict")) throw error;
    const found = await pass.as((cluster) => findTaken(cluster, object));
    if (found === undefined) throw error;
    if (!isOfBundle(found, bundle)) {
      pass.foreign(found);
      return;
    }
    live = found;
    written = await write(false);
  }
  const key = `${bundle.object.metadata.uid ?? ""}/${resource}`;
  if (written.object !== undefined) informer?.remember(written.object);
  if (written.kind === "deleted") {
    replacing.add(key);
    return;
  }
  const change = objectChange(live, written.object);
  const isReplaced = replacing.delete(key);
  if (change !== undefined)
    pass.notes.changed({
      key: identityKey(identityOf(object)),
      ...change,
      ...(isReplaced ? { action: "replaced" as const } : {}),
    });
  const comparison = compareObjects(knowledge, object, written.object);
  guard.answered(key, object, written.object, comparison === "same");
}

/** Deletes an object that left, or makes it nobody's. */
async function removeObject(
  action: Extract<BundleAction, { kind: "delete" | "detach" }>,
  bundle: Bundle,
  pass: BundlePass,
  { children }: BundleServices,
): Promise<void> {
  const { live } = action;
  const onRetry = pass.notes.onRetry(troubleOfObject(action.object));
  const removed = await pass.as((cluster) =>
    action.kind === "delete"
      ? deleteLive(cluster, live, { propagationPolicy: "Foreground", onRetry })
      : releaseObject(
          cluster,
          live,
          { labels: [bundleLabel], isOwnReference: isOwnReference(live, bundle, bundleManager) },
          { fieldManager: bundleManager, onRetry },
        ),
  );
  if (action.kind === "delete")
    pass.notes.changed({ key: identityKey(identityOf(live)), action: "pruned" });
  if (removed.kind === "deleting" || removed.kind === "released")
    children.of(removed.object)?.remember(removed.object);
}

async function setFinalizer(
  isHeld: boolean,
  { kind, name }: OutputObject,
  bundle: Bundle,
  pass: BundlePass,
  { cluster: controller, contents }: BundleServices,
): Promise<void> {
  const known = await contents();
  const found = known.get(kind, bundle.namespace, name);
  if (found === undefined) return;
  const own = outputFinalizer(bundle);
  const others = (found.metadata.finalizers ?? []).filter((each) => each !== own);
  const patch: JsonObject = {
    metadata: {
      // Another bundle may hold it too: its finalizer must not get lost.
      resourceVersion: found.metadata.resourceVersion ?? "",
      finalizers: isHeld ? [...others, own] : others,
    },
  };
  const write = (cluster: Cluster): Promise<KubernetesObject> =>
    cluster.patch(referenceTo(found), "merge", patch, {
      fieldManager: bundleManager,
      onRetry: pass.notes.onRetry(`output ${name}`),
    });
  try {
    known.of(kind).remember(await pass.as(write));
  } catch (error) {
    if (isNotFound(error)) return;
    const isPowerless = error instanceof AccountError || isApiError(error, "Forbidden");
    if (isHeld || !isPowerless || !(await isTerminating(controller, bundle.namespace))) throw error;
    // The account went with its namespace, which our finalizer would keep for ever.
    known.of(kind).remember(await write(controller));
  }
}

async function noting(
  resource: string,
  object: KubernetesObject | undefined,
  live: KubernetesObject | undefined,
  pass: BundlePass,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
    pass.notes.settled(resource);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    if (object !== undefined)
      pass.notes.changed({ key: identityKey(identityOf(object)), action: "failed" });
    pass.notes.trouble(resource, {
      isRetried: !isApiError(error, "Invalid", "BadRequest"),
      message: describeRefusal(error, { sent: object, live }),
    });
  }
}

/** Adds the finalizer of the bundle itself, with what it is about to make; without that, takes it away. */
export async function finalize(
  cluster: Cluster,
  { object }: Bundle,
  planned?: string,
): Promise<KubernetesObject | undefined> {
  const others = (object.metadata.finalizers ?? []).filter((each) => each !== bundleFinalizer);
  const patch: JsonObject = {
    metadata: {
      resourceVersion: object.metadata.resourceVersion ?? "",
      finalizers: planned === undefined ? others : [...others, bundleFinalizer],
      ...(planned === undefined ? {} : { annotations: { [plannedObjectsAnnotation]: planned } }),
    },
  };
  try {
    return await cluster.patch(referenceTo(object), "merge", patch, {
      fieldManager: bundleManager,
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Fields of a status that are left out when they are empty: a merge must say so. */
const optionalFields = ["objectsToDelete", "heldOutputs"];

export async function writeBundleStatus(
  cluster: Cluster,
  { object }: Bundle,
  status: JsonObject,
): Promise<KubernetesObject> {
  const cleared = Object.fromEntries(optionalFields.map((field) => [field, null]));
  return cluster.patch(
    referenceTo(object),
    "merge",
    { status: { ...cleared, ...status } },
    { fieldManager: bundleManager, subresource: "status" },
  );
}
