import {
  equalValues,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "../objects/index.ts";
import { type Bundle, bundleFinalizer, type BundleResource, outputFinalizer } from "./bundle.ts";
import { type BundleRecord, keyOf, recordOfBundle, statusOfBundle } from "./bundle-status.ts";
import type { BundleObject, BundleWorld, OutputObject } from "./bundle-world.ts";
import { objectOf } from "./describe-resource.ts";
import { isOfBundle } from "./owners.ts";
import { liveObjects, realizeResource, troubleOfOutput } from "./realize-resource.ts";
import { progressing, type ResourceState } from "./resource-state.ts";
import { takeDown } from "./take-down.ts";

export type BundleAction =
  /** Makes the bundle stay until its objects are gone. */
  | { readonly kind: "finalize" }
  /** Lets the bundle go. */
  | { readonly kind: "let-go" }
  /** Writes the status before anything else: what is about to be made must be found again. */
  | { readonly kind: "record" }
  | { readonly kind: "apply"; readonly resource: string; readonly object: KubernetesObject }
  /** Keeps an output object, or lets it go. */
  | { readonly kind: "hold" | "release"; readonly output: OutputObject }
  | { readonly kind: "delete"; readonly object: BundleObject; readonly uid: string };

/** What is to be done for a bundle now, and how it is. */
export interface Realized {
  readonly actions: readonly BundleAction[];
  readonly status: JsonObject;
  /** Whether the status that the bundle has says something else. */
  readonly isNews: boolean;
}

/**
 * A bundle and what is known around it in, the next steps and its status out. Called again after each
 * step, and whenever something has changed, until there is nothing left to do.
 */
export function realize(bundle: Bundle, world: BundleWorld): Realized {
  const { metadata } = bundle.object;
  if (metadata.deletionTimestamp !== undefined) return realizeDeletion(bundle, world);
  const states = new Map<string, ResourceState>();
  const actions: BundleAction[] = [];
  const outputs: OutputObject[] = [];
  const liveOf = liveObjects(bundle, world);
  for (const resource of bundle.resources) {
    const made = realizeResource(bundle, resource, states, liveOf, world);
    states.set(resource.name, made.state);
    outputs.push(...made.outputs);
    actions.push(...made.actions);
  }
  const before = recordOfBundle(bundle.object);
  const wanted = bundle.resources.flatMap((resource) => wantedObject(resource, world));
  const keys = new Set(wanted.map(keyOf));
  const left = before.objects.filter(
    (object) => !keys.has(keyOf(object)) && isOurs(world.live(object), bundle),
  );
  const allReady = [...states.values()].every(({ kind }) => kind === "ready");
  const held = stillHeld(bundle, before.outputs, outputs, allReady, world, actions);
  if (allReady) actions.push(...takeDown(left, world));
  const record: BundleRecord = { objects: unique([...wanted, ...left]), outputs: held };
  const status = statusOfBundle({
    bundle: bundle.object,
    states: [...states],
    whole: wholeState(allReady, left, world),
    record,
    leaving: new Set(left.map(keyOf)),
    now: world.now,
  });
  const first: BundleAction[] = [];
  if (!(metadata.finalizers ?? []).includes(bundleFinalizer)) first.push({ kind: "finalize" });
  if (!isRecorded(record, before) && actions.length > 0) first.push({ kind: "record" });
  return {
    actions: [...first, ...actions],
    status,
    isNews: !equalValues(bundle.object["status"] as JsonValue | undefined, status),
  };
}

/** Everything goes, dependents first; then what was held; then the bundle itself. */
function realizeDeletion(bundle: Bundle, world: BundleWorld): Realized {
  const before = recordOfBundle(bundle.object);
  const left = before.objects.filter((object) => isOurs(world.live(object), bundle));
  const actions: BundleAction[] = [...takeDown(left, world)];
  const finalizer = outputFinalizer(bundle);
  const held = before.outputs.filter((output) => world.finalizersOf(output)?.includes(finalizer));
  // A claim is deleted after all that use its output, and may itself wait for the output to go.
  const areAllLeaving = left.every(
    (object) => world.live(object)?.metadata.deletionTimestamp !== undefined,
  );
  if (areAllLeaving) actions.push(...releases(held, world));
  const isHeld = (bundle.object.metadata.finalizers ?? []).includes(bundleFinalizer);
  if (left.length === 0 && held.length === 0 && isHeld) actions.push({ kind: "let-go" });
  const names = left.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  const status = statusOfBundle({
    bundle: bundle.object,
    states: bundle.resources.map(({ name }) => [
      name,
      progressing("Deleting", "the bundle is being deleted"),
    ]),
    whole: progressing(
      "Deleting",
      names === "" ? "all objects are gone" : `waits until these are gone: ${names}`,
    ),
    record: { objects: left, outputs: before.outputs },
    leaving: new Set(left.map(keyOf)),
    now: world.now,
  });
  const isLast = actions.some(({ kind }) => kind === "let-go");
  return {
    actions,
    status,
    isNews: !isLast && !equalValues(bundle.object["status"] as JsonValue | undefined, status),
  };
}

function wantedObject(resource: BundleResource, world: BundleWorld): readonly BundleObject[] {
  const object = objectOf(resource, world.plugin);
  return object === undefined ? [] : [object];
}

function isOurs(live: KubernetesObject | undefined, bundle: Bundle): boolean {
  return live !== undefined && isOfBundle(live, bundle);
}

/**
 * The outputs that are held from now on. What is no longer used is let go when all that used it is
 * ready with what it uses now; until then it must stay where it is.
 */
function stillHeld(
  bundle: Bundle,
  before: readonly OutputObject[],
  used: readonly OutputObject[],
  allReady: boolean,
  world: BundleWorld,
  actions: BundleAction[],
): readonly OutputObject[] {
  const text = ({ kind, name }: OutputObject): string => `${kind} ${name}`;
  const usedKeys = new Set(used.map(text));
  const finalizer = outputFinalizer(bundle);
  const old = before.filter(
    (output) =>
      !usedKeys.has(text(output)) && world.finalizersOf(output)?.includes(finalizer) === true,
  );
  if (allReady) actions.push(...releases(old, world));
  return [...new Map([...used, ...old].map((output) => [text(output), output])).values()];
}

function releases(outputs: readonly OutputObject[], world: BundleWorld): readonly BundleAction[] {
  return outputs
    .filter(({ name }) => world.trouble(troubleOfOutput(name)) === undefined)
    .map((output) => ({ kind: "release" as const, output }));
}

/** Being rid of what left the bundle is part of being ready. */
function wholeState(
  allReady: boolean,
  left: readonly BundleObject[],
  world: BundleWorld,
): ResourceState | undefined {
  const there = left.filter((object) => world.live(object) !== undefined);
  if (!allReady || there.length === 0) return undefined;
  const names = there.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  return progressing("Pruning", `waits until these are gone: ${names}`);
}

function unique(objects: readonly BundleObject[]): readonly BundleObject[] {
  return [...new Map(objects.map((object) => [keyOf(object), object])).values()];
}

function isRecorded(record: BundleRecord, before: BundleRecord): boolean {
  const objects = new Set(before.objects.map(keyOf));
  const outputs = new Set(before.outputs.map(({ kind, name }) => `${kind} ${name}`));
  return (
    record.objects.every((object) => objects.has(keyOf(object))) &&
    record.outputs.every(({ kind, name }) => outputs.has(`${kind} ${name}`))
  );
}
