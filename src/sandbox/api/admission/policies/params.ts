import type { KubernetesObject } from "../../../../objects/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { inVersion } from "../../encode-object.ts";
import { type ObjectSelector, selects } from "../../object-selector.ts";
import type { ServedResource } from "../../served-resource.ts";

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: ObjectSelector;
  readonly parameterNotFoundAction?: string;
}

export type Params =
  | { readonly kind: "params"; readonly objects: readonly (KubernetesObject | null)[] }
  /** Of the policy itself, or of how it is bound. */
  | { readonly kind: "problem"; readonly message: string; readonly isOfPolicy: boolean };

/** The objects that a policy is asked with; null stands for none at all. */
export function collectParams(
  context: ApiContext,
  paramKind: ParamKind | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
): Params {
  if (paramKind === undefined) return { kind: "params", objects: [null] };
  const [version = "", group = ""] = paramKind.apiVersion.split("/").toReversed();
  const resource = context.registry.findKind(group, version, paramKind.kind);
  if (resource === undefined) {
    const shown = `${paramKind.apiVersion}, Kind=${paramKind.kind}`;
    return problem(`failed to find resource referenced by paramKind: '${shown}'`, true);
  }
  if (paramRef === undefined) return { kind: "params", objects: [null] };
  const { namespace: ownNamespace = "", parameterNotFoundAction } = paramRef;
  if (!resource.namespaced && ownNamespace !== "") {
    return problem("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const namespace = ownNamespace === "" ? requestNamespace : ownNamespace;
  if (resource.namespaced && namespace === "") {
    return problem(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  }
  const objects = found(context, resource, paramRef, resource.namespaced ? namespace : "");
  if (objects.length === 0 && parameterNotFoundAction === "Deny") {
    return problem("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return { kind: "params", objects };
}

function found(
  { store }: ApiContext,
  resource: ServedResource,
  { name = "", selector }: ParamRef,
  namespace: string,
): readonly KubernetesObject[] {
  const stored =
    name === ""
      ? store
          .list(resource.storageKey, resource.namespaced ? namespace : undefined)
          .filter(({ object }) => selects(selector ?? {}, object.metadata.labels))
      : [store.get(resource.storageKey, namespace, name)];
  return stored.flatMap((each) => (each === undefined ? [] : [inVersion(each.object, resource)]));
}

function problem(message: string, isOfPolicy = false): Params {
  return { kind: "problem", message, isOfPolicy };
}
