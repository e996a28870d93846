/** One resource that the cluster serves in one version. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As in the path: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

export interface ApiSubresource {
  /** `status`, `scale`, `log`. */
  readonly name: string;
  readonly verbs: readonly string[];
}

/** The kind and the version to use it in. */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object by name; without a namespace the default one for kinds that have any. */
export interface ObjectReference extends ObjectKind {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** As RBAC and kubectl name it: `deployments.apps`. */
export function qualifiedName({ group, plural }: Pick<ApiResource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}
