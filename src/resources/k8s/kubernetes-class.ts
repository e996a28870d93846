import { acceptProvisioned } from "../provisioned/index.ts";
import { Resource } from "../resource.ts";
import type { ResourceOptions } from "../resource-options.ts";
import { registerClass } from "../type-token.ts";
import { rememberKind } from "./kubernetes-kind.ts";

/** What a program writes down of an object: everything but what its class and the server add. */
export type KubernetesProps<T> = Omit<T, "apiVersion" | "kind" | "status">;

/**
 * What a program reads of an object: every field is there, because one that it did not set is
 * filled in by the server.
 */
export type Provided<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Provided<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]-?: Provided<Exclude<T[Key], undefined>> }
      : T;

export type KubernetesResource<T> = Resource & Provided<T>;

/** A class whose instances are objects of one kind. */
export interface KubernetesClass<T> {
  new (props?: KubernetesProps<T>, options?: ResourceOptions): KubernetesResource<T>;
  new (
    id: string | undefined,
    props?: KubernetesProps<T>,
    options?: ResourceOptions,
  ): KubernetesResource<T>;
  readonly prototype: KubernetesResource<T>;
}

/** Makes the class of a kind; `module` is the first part of its type token. */
export function kubernetesClass<T>(
  apiVersion: string,
  kind: string,
  module: string,
): KubernetesClass<T> {
  const made = { [kind]: class extends Resource {} }[kind] as typeof Resource;
  registerClass(made, module, kind);
  acceptProvisioned(made);
  rememberKind(made, { apiVersion, kind });
  return made as unknown as KubernetesClass<T>;
}
