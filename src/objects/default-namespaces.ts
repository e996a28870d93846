import type { Diagnostic } from "../diagnostics/index.ts";
import { groupOf } from "./api-version.ts";
import { formatIdentity, identityOf } from "./identity.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { SourcedObject } from "./read/sourced-object.ts";
import type { ScopeLookup } from "./scope.ts";

export interface DefaultedNamespaces {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives namespaced objects without a namespace the default one, and takes it from cluster-scoped
 * ones with a warning, so that an identity is the same here and on the server. A kind that is not
 * known is left as it is.
 */
export function defaultNamespaces(
  objects: readonly SourcedObject[],
  scopeOf: ScopeLookup,
  defaultNamespace: string,
): DefaultedNamespaces {
  const diagnostics: Diagnostic[] = [];
  const defaulted = objects.map((sourced) => {
    const { object } = sourced;
    const namespace = object.metadata.namespace ?? "";
    const scope = scopeOf(groupOf(object.apiVersion), object.kind);
    if (scope === "namespaced" && namespace === "") {
      return { ...sourced, object: withNamespace(object, defaultNamespace) };
    }
    if (scope !== "cluster" || object.metadata.namespace === undefined) return sourced;
    const bare = withNamespace(object, undefined);
    if (namespace !== "") diagnostics.push(dropped(sourced, bare));
    return { ...sourced, object: bare };
  });
  return { objects: defaulted, diagnostics };
}

function withNamespace(object: KubernetesObject, namespace: string | undefined): KubernetesObject {
  const { namespace: _before, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } };
}

function dropped({ object, sourceOf }: SourcedObject, bare: KubernetesObject): Diagnostic {
  const subject = formatIdentity(identityOf(bare));
  return {
    code: "objects.namespace-dropped",
    severity: "warning",
    summary: `${subject} belongs to no namespace; "${object.metadata.namespace ?? ""}" is ignored`,
    hint: "Remove metadata.namespace.",
    subject,
    source: sourceOf(["metadata", "namespace"]),
  };
}
