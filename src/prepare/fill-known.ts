import { DiagnosticError } from "../diagnostics/index.ts";
import { fieldAt } from "../json/index.ts";
import {
  type FieldPath,
  identityKey,
  identityOf,
  type KubernetesObject,
  mutationAnnotation,
  type SourcedObject,
} from "../objects/index.ts";
import {
  coverHole,
  fillHole,
  type Hole,
  type HoleSource,
  holesOf,
  isProvisionedObject,
  type ObjectHoles,
} from "../plan/index.ts";
import { readinessOf } from "../readiness/index.ts";
import { fieldSteps } from "../schema/index.ts";
import { holeValues, type HoleValues } from "./hole-values.ts";
import type { ObservedGroup, PrepareOptions } from "./observe-group.ts";

/** Desired objects with every value that is known now, and words for the others. */
interface KnownDesired {
  readonly desired: readonly SourcedObject[];
  /** The holes of those that have some, by identity key. */
  readonly holes: ReadonlyMap<string, ObjectHoles>;
}

/** Fills holes with what live objects say now; whether it still holds after the run is settled later. */
export async function fillKnown(
  { reads, desired: { objects, program } }: PrepareOptions,
  { live }: Pick<ObservedGroup, "live">,
): Promise<KnownDesired> {
  const all = program?.desired.objects ?? objects;
  const isMutated = ({ object }: SourcedObject): boolean =>
    object.metadata.annotations?.[mutationAnnotation] !== undefined;
  if (program === undefined && !all.some(isMutated)) return { desired: all, holes: new Map() };
  const keys = new Set(all.map(({ object }) => identityKey(identityOf(object))));
  const isKnown = (key: string): boolean => keys.has(key) || live.has(key);
  const find = (source: HoleSource): Promise<KubernetesObject | undefined> =>
    Promise.resolve(lasting(live.get(source.key), source));
  const valueOf = holeValues({ cluster: reads, program, find });
  const holes = new Map<string, ObjectHoles>();
  const desired: SourcedObject[] = [];
  for (const sourced of all) {
    const key = identityKey(identityOf(sourced.object));
    const resource = program?.desired.resources.get(key);
    const ignored = (object: KubernetesObject): KubernetesObject =>
      withIgnored(object, live.get(key), resource?.options.ignoreChanges ?? []);
    const template = ignored(sourced.object);
    const keyOf = resource === undefined ? undefined : program?.desired.keyOf;
    const own = holesOf(template, { keyOf, isKnown });
    if (own.length === 0) desired.push({ ...sourced, object: template });
    else {
      const { object, open } = await fillOne(template, own, valueOf);
      desired.push({ ...sourced, object: ignored(object) });
      holes.set(key, { template, holes: own, open });
    }
  }
  return { desired, holes };
}

/** What is not ready yet may still say something else by the time it is. */
function lasting(
  live: KubernetesObject | undefined,
  { path: [first, second] }: HoleSource,
): KubernetesObject | undefined {
  if (live === undefined || isProvisionedObject(live)) return live;
  const isFixed =
    first === "apiVersion" || first === "kind" || (first === "metadata" && second !== undefined);
  return isFixed || readinessOf(live, { now: Date.now() }).status === "Current" ? live : undefined;
}

async function fillOne(
  template: KubernetesObject,
  holes: readonly Hole[],
  valueOf: HoleValues,
): Promise<{ readonly object: KubernetesObject; readonly open: readonly Hole[] }> {
  let object = template;
  const open: Hole[] = [];
  for (const hole of holes) {
    const filled = await filledIfKnown(object, hole, valueOf);
    if (filled === undefined) open.push(hole);
    object = filled ?? coverHole(object, hole);
  }
  // What an object is called is not filled in while it is planned: the plan knows it by its name.
  return identityKey(identityOf(object)) === identityKey(identityOf(template))
    ? { object, open }
    : { object: template, open: holes };
}

/** What does not have the value yet that others want of it may have it once it is applied. */
async function filledIfKnown(
  object: KubernetesObject,
  hole: Hole,
  valueOf: HoleValues,
): Promise<KubernetesObject | undefined> {
  try {
    const known = await valueOf(hole);
    return known === undefined ? undefined : fillHole(object, hole, known.value);
  } catch (error) {
    const isOpen =
      error instanceof DiagnosticError &&
      error.diagnostics.every(({ code }) => notYet.includes(code));
    if (!isOpen) throw error;
    return undefined;
  }
}

/** The failure of one object alone, and only when its turn has come. */
const notYet: readonly string[] = ["bundle.unresolved", "live.mutation-failed"];

/** The object with fields as they are, of which the program wants no say after they were created. */
function withIgnored(
  wanted: KubernetesObject,
  live: KubernetesObject | undefined,
  fields: readonly string[],
): KubernetesObject {
  if (live === undefined || fields.length === 0) return wanted;
  const isRecord = isProvisionedObject(wanted);
  return fields.reduce((current, field) => {
    const path = fieldSteps(field);
    const from = isRecord ? ["status", "inputs", ...path] : path;
    const to = isRecord ? ["spec", "inputs", ...path] : path;
    const found = fieldAt(live, ...withIndices(live, from));
    return withValueAt(current, withIndices(current, to), found) as KubernetesObject;
  }, wanted);
}

/** Plans name the items of a list by their names; each version of it may have them elsewhere. */
function withIndices(value: unknown, path: FieldPath): FieldPath {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const name = typeof step === "string" ? /^name=(.*)$/.exec(step)?.[1] : undefined;
    const list = name === undefined ? undefined : fieldAt(value, ...steps);
    steps.push(
      Array.isArray(list) ? list.findIndex((item) => fieldAt(item, "name") === name) : step,
    );
  }
  return steps;
}

/** A copy with another value at a path, or without one. */
function withValueAt(value: unknown, path: FieldPath, after: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return after;
  if (typeof step === "number")
    return Array.isArray(value) && value[step] !== undefined
      ? value.with(step, withValueAt(value[step], rest, after))
      : value;
  if ((typeof value !== "object" || value === null) && (value !== undefined || after === undefined))
    return value;
  const before = (value ?? {}) as Readonly<Record<string, unknown>>;
  const inner = withValueAt(before[step], rest, after);
  if (inner !== undefined) return { ...before, [step]: inner };
  const { [step]: _dropped, ...others } = before;
  return others;
}
