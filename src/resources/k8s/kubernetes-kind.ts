import { builtinSchemas } from "../../schema/builtin-schemas.ts";
import type { Schema } from "../../schema/index.ts";
import { splitApiVersion } from "../../objects/api-version.ts";
import type { ClassValue } from "../type-token.ts";

/** The kind that a class stands for. */
export interface KubernetesKind {
  readonly apiVersion: string;
  readonly kind: string;
}

const kinds = new WeakMap<ClassValue, KubernetesKind>();

export function rememberKind(value: ClassValue, kind: KubernetesKind): void {
  kinds.set(value, kind);
}

/** The kind of a class itself, not of one that it extends. */
export function kubernetesKindOf(value: ClassValue): KubernetesKind | undefined {
  return kinds.get(value);
}

/** The schema of a built-in kind; of custom kinds nothing is known while a program runs. */
export function schemaOfKind({ apiVersion, kind }: KubernetesKind): Schema | undefined {
  return builtinSchemas().get({ ...splitApiVersion(apiVersion), kind });
}
