import { type KubernetesKind, kubernetesKindOf } from "./k8s/kubernetes-kind.ts";
import type { ProgramResourceKind } from "./program-graph.ts";
import { type ClassValue, typeTokenOf } from "./type-token.ts";

export interface ClassifiedResource {
  /** Undefined for a class of a module that the loader did not read. */
  readonly token: string | undefined;
  readonly className: string;
  readonly kind: ProgramResourceKind;
  readonly package: string;
  readonly providerType: string;
  readonly object?: KubernetesKind | undefined;
}

/**
 * What a class makes: the nearest class, from itself upwards, that stands for a Kubernetes kind or
 * whose package has a provider, decides.
 */
export function classifyResource(
  value: ClassValue,
  hasProvider: (packageName: string) => boolean,
): ClassifiedResource {
  const own = typeTokenOf(value);
  const base = {
    token: own?.token,
    className: own?.className ?? value.name,
  };
  for (let at: ClassValue | null = value; at !== null; at = parentClass(at)) {
    const known = typeTokenOf(at);
    if (known === undefined) continue;
    const object = kubernetesKindOf(at);
    const provider = { package: known.package, providerType: known.token };
    if (object !== undefined) return { ...base, ...provider, kind: "kubernetes", object };
    if (hasProvider(known.package) && Reflect.get(at, "composite") !== true) {
      return { ...base, ...provider, kind: "provider" };
    }
  }
  return {
    ...base,
    kind: "composite",
    package: own?.package ?? "",
    providerType: own?.token ?? "",
  };
}

function parentClass(value: ClassValue): ClassValue | null {
  const parent: unknown = Object.getPrototypeOf(value);
  return typeof parent === "function" && parent !== Function.prototype ? parent : null;
}
