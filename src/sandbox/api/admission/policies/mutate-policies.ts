import { type CelValue, jsonOf } from "../../../../cel/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../json/index.ts";
import { atomicFields, mergeConfiguration } from "../../../../merge/index.ts";
import { apiVersionOf, type KubernetesObject } from "../../../../objects/index.ts";
import { decodeObject } from "../../../../schema/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { inVersion } from "../../encode-object.ts";
import { applyJsonPatch, PatchRefused, TestFailed } from "../../json-patch.ts";
import type { ServedResource } from "../../served-resource.ts";
import { StatusError } from "../../status.ts";
import { type AdmissionAttributes, admissionRefusal } from "../attributes.ts";
import { isExempt } from "../match.ts";
import type { Reinvocations } from "../reinvocations.ts";
import { type CompiledExpression, ExpressionScope } from "./expression-scope.ts";
import { compileConditions, meetsConditions } from "./match-conditions.ts";
import {
  compiledOnce,
  type Invocation,
  invocationsOf,
  namespaceValue,
  type PolicyProblem,
  type PolicySpec,
  policySpec,
} from "./policy.ts";

const tables = {
  policies: "admissionregistration.k8s.io/mutatingadmissionpolicies",
  bindings: "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
};

interface Mutation {
  readonly patchType: string;
  readonly applyConfiguration?: { readonly expression: string };
  readonly jsonPatch?: { readonly expression: string };
}

interface MutatingSpec extends PolicySpec {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: string;
}

/** The object as mutating policies change it, one after the other. */
export function mutateByPolicies(
  context: ApiContext,
  attributes: AdmissionAttributes & { readonly object: KubernetesObject },
  reinvocations: Reinvocations,
): KubernetesObject {
  if (context.store.count(tables.bindings) === 0 || isExempt(attributes)) return attributes.object;
  reinvocations.begin(attributes.object);
  const problems: (PolicyProblem & { readonly isInvalid?: true })[] = [];
  let { object } = attributes;
  let hasMutated = false;
  for (const each of invocationsOf(context, attributes, tables)) {
    if ("message" in each) {
      problems.push(each);
      continue;
    }
    const { policy, binding, params } = each;
    const key = [policy, binding, params].map((part) => nameOf(part)).join(" ");
    if (!reinvocations.isDue(key)) continue;
    const outcome = mutated(context, each, object);
    problems.push(...outcome.problems.map((message) => problemOf(each, message)));
    if (outcome.object !== object) {
      object = outcome.object;
      hasMutated = true;
      reinvocations.objectChanged();
    }
    if ((policySpec(policy) as MutatingSpec).reinvocationPolicy === "IfNeeded") {
      reinvocations.mayRunAgain(key);
    }
  }
  if (hasMutated) reinvocations.objectChanged();
  reinvocations.end(object);
  refuseProblems(attributes, problems);
  return object;
}

function nameOf(object: KubernetesObject | null): string {
  return `${object?.metadata.namespace ?? ""}/${object?.metadata.name ?? ""}`;
}

function problemOf(
  { policy, binding }: Invocation,
  message: string,
): PolicyProblem & { readonly isInvalid: true } {
  return { policy, binding, message, isInvalid: true };
}

interface Outcome {
  readonly object: KubernetesObject;
  readonly problems: readonly string[];
}

/** What one policy makes of the object; its mutations follow each other. */
function mutated(context: ApiContext, invocation: Invocation, before: KubernetesObject): Outcome {
  const { policy, params } = invocation;
  const { scope, conditions, mutations } = compiledPolicy(policy);
  const { matched } = invocation.attributes;
  const { resource } = invocation.attributes.request;
  const evaluator = (object: KubernetesObject): ReturnType<ExpressionScope["evaluator"]> =>
    scope.evaluator({
      context,
      attributes: { ...invocation.attributes, object },
      namespaceObject: namespaceValue(context, invocation.attributes),
      params: params as unknown as JsonValue,
    });
  let object = inVersion(before, matched);
  const met = meetsConditions(conditions, evaluator(object));
  if (met.kind === "no-match") return { object: before, problems: [] };
  if (met.kind === "error") return { object: before, problems: [met.message] };
  const problems: string[] = [];
  for (const { mutation, expression } of mutations) {
    const outcome = evaluator(object)(expression);
    if (outcome.kind === "error") {
      problems.push(outcome.message);
      continue;
    }
    const next =
      mutation.patchType === "JSONPatch"
        ? jsonPatched(object, outcome.value)
        : configured(object, outcome.value, matched);
    if (next.kind === "problem") problems.push(next.message);
    else object = defaulted(next.object, matched);
  }
  const isChanged = JSON.stringify(object) !== JSON.stringify(inVersion(before, matched));
  return { object: isChanged ? inVersion(object, resource) : before, problems };
}

type Patched =
  | { readonly kind: "object"; readonly object: KubernetesObject }
  | { readonly kind: "problem"; readonly message: string };

function configured(object: KubernetesObject, value: CelValue, resource: ServedResource): Patched {
  const json = jsonOf(value);
  if (!isJsonObject(json)) return { kind: "problem", message: "the expression gives no object" };
  const { kind } = resource;
  const applied: JsonObject = { ...json, apiVersion: apiVersionOf(resource), kind };
  const { schema } = resource;
  const atomic = atomicFields(schema ?? anything, applied);
  if (atomic.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomic.join(", ")}`;
    return {
      kind: "problem",
      message: `error applying patch: invalid ApplyConfiguration: ${why}`,
    };
  }
  const live = object as unknown as JsonObject;
  const merged = mergeConfiguration(schema ?? anything, live, applied);
  return { kind: "object", object: merged as unknown as KubernetesObject };
}

const anything = { preserveUnknownFields: true };

function jsonPatched(object: KubernetesObject, value: CelValue): Patched {
  try {
    const patch = jsonOf(value) ?? [];
    const patched = applyJsonPatch(object as unknown as JsonValue, patch);
    return { kind: "object", object: patched as unknown as KubernetesObject };
  } catch (error) {
    if (error instanceof TestFailed) return { kind: "object", object };
    if (error instanceof PatchRefused)
      return { kind: "problem", message: `JSON Patch: ${error.why}` };
    throw error;
  }
}

function defaulted(object: KubernetesObject, { schema }: ServedResource): KubernetesObject {
  if (schema === undefined) return object;
  const { object: decoded } = decodeObject(schema, object as unknown as JsonObject);
  return decoded as unknown as KubernetesObject;
}

interface CompiledMutation {
  readonly mutation: Mutation;
  readonly expression: CompiledExpression;
}

const compiledPolicy = compiledOnce((policy) => {
  const spec = policySpec(policy) as MutatingSpec;
  const { variables = [], matchConditions, mutations = [] } = spec;
  const hasParams = spec.paramKind !== undefined;
  const scope = new ExpressionScope({ hasParams, variables, makesObjects: true });
  return {
    scope,
    conditions: compileConditions(scope, matchConditions),
    mutations: mutations.map((mutation): CompiledMutation => ({
      mutation,
      expression:
        mutation.patchType === "JSONPatch"
          ? scope.compile(mutation.jsonPatch?.expression ?? "", ["list(JSONPatch)"])
          : scope.compile(mutation.applyConfiguration?.expression ?? "", ["Object"]),
    })),
  };
});

function refuseProblems(
  attributes: AdmissionAttributes,
  problems: readonly (PolicyProblem & { readonly isInvalid?: true })[],
): void {
  const failing = problems.filter(({ policy }) => policySpec(policy).failurePolicy !== "Ignore");
  const [first] = failing;
  if (first === undefined) return;
  const { status } = admissionRefusal(attributes, "");
  const texts = failing.map(({ policy, binding, message }) => {
    const { name = "" } = policy.metadata;
    return binding === undefined
      ? `policy ${JSON.stringify(name)} denied request: ${message}`
      : `policy '${name}' with binding '${binding.metadata.name}' denied request: ${message}`;
  });
  const reason = first.isInvalid === true ? "Invalid" : "Forbidden";
  throw new StatusError(403, reason, texts[0] ?? "", {
    ...status.details,
    causes: texts.map((message) => ({ message })),
  });
}
