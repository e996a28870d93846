import type { JsonValue } from "../../../../json/index.ts";
import type { KubernetesObject } from "../../../../objects/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { recordAt } from "../../tables/read-fields.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { matchedResource, type MatchResources } from "../match.ts";
import { inMatchedVersion, type VersionedAttributes } from "../versioned.ts";
import type { NamedExpression } from "./expression-scope.ts";
import { collectParams, type ParamKind, type ParamRef } from "./params.ts";

/** What validating and mutating policies share. */
export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
  readonly failurePolicy?: string;
}

export interface BindingSpec {
  readonly policyName: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

/** A policy that is to decide about a write, once for each of its parameters. */
export interface Invocation {
  readonly policy: KubernetesObject;
  readonly binding: KubernetesObject;
  readonly attributes: VersionedAttributes;
  readonly params: KubernetesObject | null;
}

/** A policy that cannot be asked; whether that refuses the write is up to its failure policy. */
export interface PolicyProblem {
  readonly policy: KubernetesObject;
  readonly binding: KubernetesObject | undefined;
  readonly message: string;
}

export interface PolicyTables {
  readonly policies: string;
  readonly bindings: string;
}

/** The policies that are about a write, through their bindings, in the order of their names. */
export function invocationsOf(
  context: ApiContext,
  attributes: AdmissionAttributes,
  { policies, bindings }: PolicyTables,
): readonly (Invocation | PolicyProblem)[] {
  const bound = Map.groupBy(
    context.store.list(bindings).map(({ object }) => object),
    (binding) => bindingSpec(binding).policyName,
  );
  return context.store.list(policies).flatMap(({ object: policy }) => {
    const spec = policySpec(policy);
    const own = bound.get(policy.metadata.name ?? "") ?? [];
    if (own.length === 0) return [];
    const matched = matchedResource(context, attributes, spec.matchConstraints ?? {});
    if (matched === undefined) return [];
    const versioned = inMatchedVersion(attributes, matched);
    return own
      .filter((binding) => isBound(context, attributes, bindingSpec(binding)))
      .flatMap((binding): readonly (Invocation | PolicyProblem)[] => {
        const { paramRef } = bindingSpec(binding);
        const { namespace } = attributes.request.path;
        const params = collectParams(context, spec.paramKind, paramRef, namespace);
        if (params.kind === "problem") {
          const place = params.isOfPolicy ? undefined : binding;
          const what = place === undefined ? "policy" : "binding";
          const message = `failed to configure ${what}: ${params.message}`;
          return [{ policy, binding: place, message }];
        }
        return params.objects.map((each) => ({
          policy,
          binding,
          attributes: versioned,
          params: each,
        }));
      });
  });
}

export function policySpec(policy: KubernetesObject): PolicySpec {
  return recordAt(policy, "spec");
}

export function bindingSpec(binding: KubernetesObject): BindingSpec {
  return recordAt(binding, "spec") as unknown as BindingSpec;
}

function isBound(
  context: ApiContext,
  attributes: AdmissionAttributes,
  { matchResources }: BindingSpec,
): boolean {
  return (
    matchResources === undefined ||
    matchedResource(context, attributes, matchResources) !== undefined
  );
}

/** The namespace of a write as expressions see it. */
export function namespaceValue({ store }: ApiContext, { request }: AdmissionAttributes): JsonValue {
  const { namespace } = request.path;
  if (namespace === "" || request.resource.storageKey === "/namespaces") return null;
  const found = store.get("/namespaces", "", namespace)?.object;
  if (found === undefined) return null;
  const { uid: UID, ...metadata } = found.metadata;
  const { spec = {}, status = {} } = found;
  return { metadata: { ...metadata, UID }, spec, status } as unknown as JsonValue;
}

/** What is compiled of a policy, kept as long as the policy stays as it is. */
export function compiledOnce<Compiled>(
  compile: (policy: KubernetesObject) => Compiled,
): (policy: KubernetesObject) => Compiled {
  const known = new WeakMap<KubernetesObject, Compiled>();
  return (policy) => {
    const found = known.get(policy);
    if (found !== undefined) return found;
    const compiled = compile(policy);
    known.set(policy, compiled);
    return compiled;
  };
}
