import type { JsonObject } from "../json/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import type { OwnedStep } from "../plan/index.ts";
import { type Bundle, bundleFinalizer, type BundleResource, outputFinalizer } from "./bundle.ts";
import {
  type BundleRecord,
  hasRecord,
  keyOf,
  plannedText,
  readyMessage,
  recordOfBundle,
  statusOfBundle,
} from "./bundle-status.ts";
import type { BundleObject, BundleWorld, OutputObject } from "./bundle-world.ts";
import { objectOf } from "./describe-resource.ts";
import { isOfBundle } from "./owners.ts";
import { liveObjects, realizeResource, troubleOfOutput } from "./realize-resource.ts";
import { errorState, progressing, type ResourceState } from "./resource-state.ts";
import { type Stay, takeDown, type TakenDown } from "./take-down.ts";

export type BundleAction =
  /** Makes the bundle stay until its objects are gone, and names what it is about to make. */
  | { readonly kind: "finalize"; readonly planned: string }
  /** Lets the bundle go. */
  | { readonly kind: "let-go" }
  /** Writes the status before anything else: what is about to be made must be found again. */
  | { readonly kind: "record" }
  | OwnedStep
  /** Keeps an output object, or lets it go. */
  | { readonly kind: "hold-output" | "release-output"; readonly output: OutputObject };

/** What is to be done for a bundle now, and how it is. */
export interface Realized {
  readonly actions: readonly BundleAction[];
  readonly status: JsonObject;
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
  const takenDown = takeDown(left, world, false);
  if (allReady) actions.push(...takenDown.actions);
  const record: BundleRecord = { objects: unique([...wanted, ...left]), outputs: held };
  const status = statusOfBundle({
    bundle: bundle.object,
    states: [...states],
    whole: wholeState(allReady, states.size, left, takenDown.stays, world),
    record,
    leaving: leavingOf(left, takenDown.stays),
    now: world.now,
  });
  const first: BundleAction[] = [];
  let recorded = before;
  if (!(metadata.finalizers ?? []).includes(bundleFinalizer)) {
    first.push({ kind: "finalize", planned: plannedText(record.objects) });
    if (!hasRecord(bundle.object)) recorded = { ...before, objects: record.objects };
  }
  if (!isRecorded(record, recorded) && actions.length > 0) first.push({ kind: "record" });
  return { actions: [...first, ...actions], status };
}

/** Everything goes, dependents first; then what was held; then the bundle itself. */
function realizeDeletion(bundle: Bundle, world: BundleWorld): Realized {
  const before = recordOfBundle(bundle.object);
  const left = before.objects.filter((object) => isOurs(world.live(object), bundle));
  const takenDown = takeDown(left, world, true);
  const actions: BundleAction[] = [...takenDown.actions];
  const finalizer = outputFinalizer(bundle);
  const held = before.outputs.filter((output) => world.finalizersOf(output)?.includes(finalizer));
  // A claim is deleted after all that use its output, and may itself wait for the output to go.
  const areAllLeaving = left.every(
    (object) => world.live(object)?.metadata.deletionTimestamp !== undefined,
  );
  if (areAllLeaving) actions.push(...releases(held, world));
  const isHeld = (bundle.object.metadata.finalizers ?? []).includes(bundleFinalizer);
  if (left.length === 0 && held.length === 0 && isHeld) actions.push({ kind: "let-go" });
  const status = statusOfBundle({
    bundle: bundle.object,
    states: bundle.resources.map(({ name }) => [
      name,
      progressing("Deleting", "the bundle is being deleted"),
    ]),
    whole:
      removalState("Deleting", left, left, world) ??
      progressing("Deleting", "all objects are gone"),
    record: { objects: left, outputs: before.outputs },
    leaving: leavingOf(left, takenDown.stays),
    now: world.now,
  });
  return { actions, status };
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
    .map((output) => ({ kind: "release-output" as const, output }));
}

/** How far the removal of objects has come; undefined when nothing is left of it. */
function removalState(
  reason: string,
  left: readonly BundleObject[],
  going: readonly BundleObject[],
  world: BundleWorld,
): ResourceState | undefined {
  const named = ({ kind, name }: BundleObject): string => `${kind} ${name}`;
  for (const object of left) {
    const live = world.live(object);
    const trouble = live === undefined ? undefined : world.trouble(identityKey(identityOf(live)));
    if (trouble !== undefined)
      return errorState({ ...trouble, message: `${named(object)}: ${trouble.message}` });
  }
  if (going.length === 0) return undefined;
  return progressing(reason, `waits until these are gone: ${going.map(named).join(", ")}`);
}

function leavingOf(
  left: readonly BundleObject[],
  stays: TakenDown["stays"],
): ReadonlyMap<string, Stay | undefined> {
  return new Map(left.map((object) => [keyOf(object), stays.get(keyOf(object))]));
}

/** Being rid of what left the bundle is part of being ready; what stays for good is only told of. */
function wholeState(
  allReady: boolean,
  count: number,
  left: readonly BundleObject[],
  stays: TakenDown["stays"],
  world: BundleWorld,
): ResourceState | undefined {
  if (!allReady || left.length === 0) return undefined;
  const going = left.filter((object) => !stays.has(keyOf(object)));
  const open = removalState("Pruning", left, going, world);
  if (open !== undefined) return open;
  const kept = left.map(
    (object) => `${object.kind} ${object.name} stays: ${stays.get(keyOf(object))?.message ?? ""}`,
  );
  return { kind: "ready", message: [readyMessage(count), ...kept].join("; ") };
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
