import {
  type FieldPath,
  identityKey,
  type JsonPath,
  knownSource,
  type KubernetesObject,
  type Mutation,
  type ObjectIdentity,
  readMutations,
} from "../objects/index.ts";
import { type DeferredValue, isDeferredValue } from "../resources/index.ts";

/** What stands for people in the place of a value that is not known yet. */
export const knownAfterApply = "(known after apply)";

/** A place in the object of a node whose value other nodes give. */
export type Hole = ComputedHole | CopiedHole;

/** Its value is computed by a program, or by the references of a bundle. */
interface ComputedHole {
  readonly kind: "computed";
  readonly at: FieldPath;
  readonly sources: readonly HoleSource[];
  /** What the evaluation is asked with once the sources are there. */
  readonly deferred: number;
}

/** Its value is a field of another object, as an apply-time mutation says. */
interface CopiedHole {
  readonly kind: "copied";
  readonly sources: readonly [HoleSource & { readonly identity: ObjectIdentity }];
  readonly mutation: Mutation;
}

/** What fills a hole. */
export interface HoleSource {
  /** The node. */
  readonly key: string;
  /** The field of it that counts; empty where it may be any. */
  readonly path: FieldPath;
  /** The name of the resource that it is, for the evaluation that computes the value. */
  readonly resource?: string | undefined;
  /** Where to look for it if it is not part of the run. */
  readonly identity?: ObjectIdentity | undefined;
}

/** The holes of an object, and the object as it is without what fills them. */
export interface ObjectHoles {
  readonly template: KubernetesObject;
  readonly holes: readonly Hole[];
  /** Those of them whose values are known only once others have been applied. */
  readonly open: readonly Hole[];
}

/** The holes of an object, in the order in which they are filled. */
export function holesOf(
  object: KubernetesObject,
  { keyOf, isKnown }: HoleSurroundings,
): readonly Hole[] {
  const computed = keyOf === undefined ? [] : computedHoles(object, [], keyOf);
  const copied = readMutations(object).value.map((mutation): Hole => {
    const identity = knownSource(mutation.source, isKnown);
    const source = { key: identityKey(identity), path: fieldPath(mutation.sourcePath), identity };
    return { kind: "copied", sources: [source], mutation };
  });
  return [...computed, ...copied];
}

interface HoleSurroundings {
  /** The node of each resource of a program or bundle, by its name. */
  readonly keyOf?: ReadonlyMap<string, string> | undefined;
  /** Whether there is an object, by its key: in the input or in the cluster. */
  readonly isKnown: (key: string) => boolean;
}

function computedHoles(
  value: unknown,
  at: FieldPath,
  keyOf: ReadonlyMap<string, string>,
): readonly Hole[] {
  if (isDeferredValue(value)) {
    const sources = value.from.map(({ resource, path }) => ({
      key: keyOf.get(resource) ?? "",
      path,
      resource,
    }));
    return [{ kind: "computed", at, sources, deferred: value.$deferred }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap((inner, index) => computedHoles(inner, [...at, index], keyOf))
    : Object.entries(value).flatMap(([key, inner]) => computedHoles(inner, [...at, key], keyOf));
}

/** The values in JSON that are not known yet. */
export function deferredIn(value: unknown): readonly DeferredValue[] {
  if (isDeferredValue(value)) return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(deferredIn)
    : [];
}

/** A path without choices in it; any other leads nowhere in particular. */
function fieldPath({ parts: [part, ...more] }: JsonPath): FieldPath {
  if (part?.kind !== "action" || more.length > 0) return [];
  const path = part.steps.map((step) => {
    if (step.kind === "field") return step.name;
    return step.kind === "slice" && step.slice.single ? step.slice.start : undefined;
  });
  return path.every((step) => step !== undefined) ? path : [];
}
