import {
  type Bundle,
  type BundleAction,
  bundleFinalizer,
  type BundleObject,
  isOfBundle,
  type OutputObject,
  outputFinalizer,
} from "../../bundles/index.ts";
import { type Cluster, isApiError, isNotFound, referenceTo } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonObject, KubernetesObject } from "../../objects/index.ts";
import {
  asBundleObject,
  bundleManager,
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
  const { cluster, children } = services;
  switch (action.kind) {
    case "apply":
      await noting(action.resource, pass, async () => {
        await applyObject(action.resource, action.object, bundle, pass, services);
      });
      return;
    case "hold":
    case "release":
      await noting(`output ${action.output.name}`, pass, async () => {
        await setFinalizer(action.kind === "hold", action.output, bundle, services);
      });
      return;
    case "delete":
      await noting(`${action.object.kind} ${action.object.name}`, pass, async () => {
        const answer = await deleteObject(cluster, action.object, action.uid, bundle.namespace);
        if (answer !== undefined) children.of(answer)?.remember(answer);
      });
      return;
    // These concern the bundle itself; whoever looks at it does them.
    case "finalize":
    case "let-go":
    case "record":
      return;
  }
}

async function applyObject(
  resource: string,
  object: KubernetesObject,
  bundle: Bundle,
  pass: BundlePass,
  { cluster, children, guard, knowledge }: BundleServices,
): Promise<void> {
  const target = asBundleObject(object);
  if (children.of(object)?.get(identityIn(target, bundle.namespace)) === undefined) {
    // The watches tell only of objects of bundles; this name may be taken by another one.
    const found = await cluster.find(referenceTo(object));
    if (found !== undefined && !isOfBundle(found, bundle)) {
      pass.foreign(found);
      return;
    }
  }
  const answer = await cluster.apply(object, { fieldManager: bundleManager, force: true });
  children.of(object)?.remember(answer.object);
  const key = `${bundle.object.metadata.uid ?? ""}/${resource}`;
  const comparison = compareObjects(knowledge, object, answer.object);
  guard.answered(key, object, answer.object, comparison === "same");
}

async function deleteObject(
  cluster: Cluster,
  { apiVersion, kind, name }: BundleObject,
  uid: string,
  namespace: string,
): Promise<KubernetesObject | undefined> {
  try {
    return await cluster.delete(
      { apiVersion, kind, namespace, name },
      { uid, propagationPolicy: "Foreground" },
    );
  } catch (error) {
    // Gone, or another one of the same name: not the one that was looked at, in any case.
    if (isNotFound(error) || isApiError(error, "Conflict")) return undefined;
    throw error;
  }
}

async function setFinalizer(
  isHeld: boolean,
  { kind, name }: OutputObject,
  bundle: Bundle,
  { cluster, contents }: BundleServices,
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
  try {
    const answer = await cluster.patch(referenceTo(found), "merge", patch, {
      fieldManager: bundleManager,
    });
    known.of(kind).remember(answer);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function noting(
  resource: string,
  pass: BundlePass,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    const message = [first?.summary ?? error.message, first?.detail]
      .filter((part) => part !== undefined)
      .join(": ");
    pass.trouble(resource, { isRetried: !isApiError(error, "Invalid", "BadRequest"), message });
  }
}

/** Adds or removes the finalizer of the bundle itself. */
export async function finalize(
  cluster: Cluster,
  { object }: Bundle,
  isHeld: boolean,
): Promise<KubernetesObject | undefined> {
  const others = (object.metadata.finalizers ?? []).filter((each) => each !== bundleFinalizer);
  const patch: JsonObject = {
    metadata: {
      resourceVersion: object.metadata.resourceVersion ?? "",
      finalizers: isHeld ? [...others, bundleFinalizer] : others,
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

export async function writeStatus(
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
