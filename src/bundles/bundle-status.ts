import {
  fieldAt,
  type JsonObject,
  type JsonValue,
  objectsIn,
  parseJson,
  stringifyJson,
} from "../json/index.ts";
import { type KubernetesObject, splitApiVersion } from "../objects/index.ts";
import { plannedObjectsAnnotation } from "./bundle.ts";
import type { BundleObject, OutputObject } from "./bundle-world.ts";
import type { ResourceState } from "./resource-state.ts";
import type { Stay } from "./take-down.ts";

/** What a bundle remembers in its status of what it has made and uses. */
export interface BundleRecord {
  readonly objects: readonly BundleObject[];
  readonly outputs: readonly OutputObject[];
}

/** What a bundle says that it has made, or was about to make. */
export function recordOfBundle(bundle: KubernetesObject): BundleRecord {
  const { status } = bundle;
  const listed = hasRecord(bundle)
    ? [...objectsIn(fieldAt(status, "objects")), ...objectsIn(fieldAt(status, "objectsToDelete"))]
    : plannedObjects(bundle);
  const objects = new Map<string, BundleObject>();
  for (const each of listed) {
    const group = textAt(each, "group");
    const version = textAt(each, "version");
    const object = {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind: textAt(each, "kind"),
      name: textAt(each, "name"),
    };
    objects.set(keyOf(object), object);
  }
  const outputs = objectsIn(fieldAt(status, "heldOutputs")).map((each) => ({
    kind: textAt(each, "kind") === "ConfigMap" ? ("ConfigMap" as const) : ("Secret" as const),
    name: textAt(each, "name"),
  }));
  return { objects: [...objects.values()], outputs };
}

/** Whether the status says what was made; before that an annotation says what is about to be. */
export function hasRecord({ status }: KubernetesObject): boolean {
  return fieldAt(status, "objects") !== undefined;
}

function plannedObjects({ metadata }: KubernetesObject): readonly JsonObject[] {
  const text = metadata.annotations?.[plannedObjectsAnnotation];
  try {
    return text === undefined ? [] : objectsIn(parseJson(text));
  } catch {
    // Somebody else wrote it; then it names nothing.
    return [];
  }
}

/** The text of the annotation that names what is about to be made. */
export function plannedText(objects: readonly BundleObject[]): string {
  return stringifyJson(objects.map(objectJson));
}

function textAt(value: JsonObject, field: string): string {
  const found = value[field];
  return typeof found === "string" ? found : "";
}

/** Versions of one kind are the same object. */
export function keyOf({ apiVersion, kind, name }: BundleObject): string {
  return `${splitApiVersion(apiVersion).group}/${kind}/${name}`;
}

export interface StatusInput {
  readonly bundle: KubernetesObject;
  readonly states: readonly (readonly [resource: string, state: ResourceState])[];
  /** Of the bundle as a whole, where it is not what its resources make it. */
  readonly whole?: ResourceState | undefined;
  readonly record: BundleRecord;
  /** Keys of recorded objects that left the bundle, and why they stay, where they do. */
  readonly leaving: ReadonlyMap<string, Stay | undefined>;
  readonly now: string;
}

/** The status of a bundle; equal input gives an equal status, times of transition included. */
export function statusOfBundle(input: StatusInput): JsonObject {
  const { bundle, states, record, leaving, now } = input;
  const before = bundle["status"];
  const previous = new Map(
    objectsIn(fieldAt(before, "resourceStatuses")).map((each) => [each["name"], each]),
  );
  const staying = record.objects.filter((object) => !leaving.has(keyOf(object)));
  const going = record.objects.filter((object) => leaving.has(keyOf(object)));
  return {
    observedGeneration: bundle.metadata.generation ?? 0,
    conditions: conditions(input.whole ?? wholeState(states), fieldAt(before, "conditions"), now, {
      blocked: states.some(([, { kind }]) => kind === "blocked"),
    }),
    resourceStatuses: states.map(([name, state]) => ({
      name,
      conditions: conditions(state, previous.get(name)?.["conditions"], now),
    })),
    objects: staying.map(objectJson),
    ...(going.length === 0
      ? {}
      : {
          objectsToDelete: going.map((object) => ({
            ...objectJson(object),
            ...leaving.get(keyOf(object)),
          })),
        }),
    ...(record.outputs.length === 0
      ? {}
      : { heldOutputs: record.outputs.map(({ kind, name }) => ({ kind, name })) }),
  };
}

function objectJson({ apiVersion, kind, name }: BundleObject): JsonObject {
  const { group, version } = splitApiVersion(apiVersion);
  return { group, version, kind, name };
}

/** An error outweighs what is under way, and that what is ready. */
function wholeState(
  states: readonly (readonly [resource: string, state: ResourceState])[],
): ResourceState {
  const errors = states.flatMap(([name, state]) =>
    state.kind === "error" ? [{ name, state }] : [],
  );
  if (errors.length > 0) {
    return {
      kind: "error",
      // As long as one is tried again, something may still change by itself.
      isRetried: errors.some(({ state }) => state.isRetried),
      message: errors.map(({ name, state }) => `${name}: ${state.message}`).join("; "),
    };
  }
  const open = states.filter(([, { kind }]) => kind !== "ready");
  if (open.length === 0) return { kind: "ready", message: readyMessage(states.length) };
  const named = open.map(([name, { message }]) => `${name}: ${message}`).join("; ");
  return { kind: "in-progress", reason: "ResourcesNotReady", message: named };
}

export function readyMessage(count: number): string {
  return count === 1 ? "1 resource is ready" : `${count} resources are ready`;
}

const types = ["Blocked", "InProgress", "Ready", "Error"] as const;
const longestMessage = 2000;

function conditions(
  state: ResourceState,
  before: unknown,
  now: string,
  also: { readonly blocked?: boolean } = {},
): JsonValue {
  const known = new Map(objectsIn(before).map((each) => [each["type"], each]));
  return types.map((type) => {
    const own = isOfType(state, type) ? detailsOf(state) : undefined;
    const holds = own !== undefined || (type === "Blocked" && also.blocked === true);
    const status = holds ? "True" : "False";
    const last = known.get(type);
    const since = last?.["status"] === status ? last["lastTransitionTime"] : undefined;
    const details = own ?? (holds ? { reason: "DependenciesNotReady" } : {});
    return { type, status, lastTransitionTime: since ?? now, ...details };
  });
}

function isOfType({ kind }: ResourceState, type: (typeof types)[number]): boolean {
  switch (kind) {
    case "blocked":
      return type === "Blocked";
    case "in-progress":
      return type === "InProgress";
    case "ready":
      return type === "Ready";
    case "error":
      return type === "Error";
  }
}

function detailsOf(state: ResourceState): { readonly reason?: string; readonly message: string } {
  const message = state.message.slice(0, longestMessage);
  switch (state.kind) {
    case "blocked":
      return { reason: "DependenciesNotReady", message };
    case "in-progress":
      return { reason: state.reason, message };
    case "ready":
      return { reason: "Ready", message };
    case "error":
      return state.isRetried
        ? { reason: "RetriableError", message: `${message} (it is tried again)` }
        : {
            reason: "TerminalError",
            message: `${message} (somebody must act: it is not tried again before something changes)`,
          };
  }
}
