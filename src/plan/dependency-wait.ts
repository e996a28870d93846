import { formatIdentity, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { dependsOnAnnotation, readDependsOn } from "./depends-on.ts";

/** How an object is that another one depends on: nothing else of it may be learned. */
export type DependencyState =
  | { readonly kind: "ready" }
  /** The rest of a sentence: `which is not ready`. */
  | { readonly kind: "waiting"; readonly why: string };

/** Why an object must not be written: its annotation is wrong, or what it names is not ready. */
export type DependencyWait = {
  readonly kind: "problem" | "waiting";
  readonly message: string;
};

/** What the annotation depends-on of an object waits for; undefined when there is nothing left. */
export function dependencyWait(
  object: KubernetesObject,
  /** Undefined as long as nobody has looked. */
  stateOf: (identity: ObjectIdentity) => DependencyState | undefined,
): DependencyWait | undefined {
  const { value, problems } = readDependsOn(object);
  if (problems.length > 0)
    return { kind: "problem", message: `${dependsOnAnnotation}: ${problems.join("; ")}` };
  const waits = value.flatMap((identity) => {
    const state = stateOf(identity) ?? { kind: "waiting", why: "which nobody has looked at yet" };
    return state.kind === "ready" ? [] : [`${formatIdentity(identity)}, ${state.why}`];
  });
  return waits.length === 0
    ? undefined
    : { kind: "waiting", message: `waits for ${waits.join("; ")}` };
}
