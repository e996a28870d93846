import type { JsonValue } from "../../../../json/index.ts";
import type { KubernetesObject } from "../../../../objects/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { StatusError } from "../../status.ts";
import { type AdmissionAttributes, admissionRefusal } from "../attributes.ts";
import { isExempt } from "../match.ts";
import {
  type CompiledExpression,
  type EvaluatedExpression,
  ExpressionScope,
} from "./expression-scope.ts";
import { compileConditions, meetsConditions } from "./match-conditions.ts";
import {
  type BindingSpec,
  bindingSpec,
  compiledOnce,
  type Invocation,
  invocationsOf,
  namespaceValue,
  type PolicySpec,
  policySpec,
} from "./policy.ts";

const tables = {
  policies: "admissionregistration.k8s.io/validatingadmissionpolicies",
  bindings: "admissionregistration.k8s.io/validatingadmissionpolicybindings",
};

interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

interface ValidatingSpec extends PolicySpec {
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly { readonly valueExpression: string }[];
}

interface ValidatingBinding extends BindingSpec {
  readonly validationActions?: readonly string[];
}

/** Why a policy is against a write. */
interface Denial {
  readonly message: string;
  readonly reason: string;
}

const longestMessage = 5 * 1024;

/** Refuses what validating policies deny; others of their actions warn. */
export function requirePolicies(context: ApiContext, attributes: AdmissionAttributes): void {
  if (context.store.count(tables.bindings) === 0 || isExempt(attributes)) return;
  const denials: Denial[] = [];
  for (const each of invocationsOf(context, attributes, tables)) {
    if ("message" in each) {
      const { policy, binding, message } = each;
      if (fails(policy)) denials.push({ message: named(policy, binding, message), reason: "" });
      continue;
    }
    denials.push(...denialsOf(context, each));
  }
  const [first] = denials;
  if (first !== undefined) throw denied(attributes, first);
}

function denialsOf(context: ApiContext, invocation: Invocation): readonly Denial[] {
  const { policy, binding, attributes } = invocation;
  const { validationActions = [] } = bindingSpec(binding) as ValidatingBinding;
  return failuresOf(context, invocation).flatMap(({ message, reason }) => {
    if (validationActions.includes("Warn")) {
      attributes.request.warn?.(
        `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}': ${message}`,
      );
    }
    if (!validationActions.includes("Deny")) return [];
    return [{ message: named(policy, binding, message), reason }];
  });
}

function failuresOf(context: ApiContext, invocation: Invocation): readonly Denial[] {
  const { policy, attributes, params } = invocation;
  const { conditions, validations, annotations, scope } = compiledPolicy(policy);
  const evaluate = scope.evaluator({
    context,
    attributes,
    namespaceObject: namespaceValue(context, attributes),
    params: params as unknown as JsonValue,
  });
  const met = meetsConditions(conditions, evaluate);
  if (met.kind === "no-match") return [];
  if (met.kind === "error") return fails(policy) ? [{ message: met.message, reason: "" }] : [];
  const failures = validations.flatMap((each) => failureOf(policy, each, evaluate));
  const wrong = annotations.map(evaluate).filter((each) => each.kind === "error");
  if (!fails(policy)) return failures;
  return [...failures, ...wrong.map(({ message }) => ({ message, reason: "" }))];
}

function failureOf(
  policy: KubernetesObject,
  { validation, condition, text }: CompiledValidation,
  evaluate: (expression: CompiledExpression) => EvaluatedExpression,
): readonly Denial[] {
  const outcome = evaluate(condition);
  if (outcome.kind === "error") {
    return fails(policy) ? [{ message: outcome.message, reason: "" }] : [];
  }
  if (outcome.value === true) return [];
  const { reason = "Invalid", message = "", expression } = validation;
  const computed = text === undefined ? undefined : evaluate(text);
  const shown = computed?.kind === "value" ? usable(computed.value) : "";
  const fallback = message.trim() || `failed expression: ${expression.trim()}`;
  return [{ message: shown === "" ? fallback : shown, reason }];
}

/** A message of an expression counts when it is one line of text. */
function usable(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = value.trim();
  return text.length > longestMessage || text.includes("\n") ? "" : text;
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly condition: CompiledExpression;
  readonly text: CompiledExpression | undefined;
}

const compiledPolicy = compiledOnce((policy) => {
  const spec = policySpec(policy) as ValidatingSpec;
  const { variables = [], matchConditions, validations = [], auditAnnotations = [] } = spec;
  const hasParams = spec.paramKind !== undefined;
  const scope = new ExpressionScope({ hasParams, variables });
  return {
    scope,
    conditions: compileConditions(scope, matchConditions),
    validations: validations.map((validation): CompiledValidation => {
      const { expression, messageExpression = "" } = validation;
      return {
        validation,
        condition: scope.compile(expression, ["bool"]),
        text: messageExpression === "" ? undefined : scope.compile(messageExpression, ["string"]),
      };
    }),
    annotations: auditAnnotations.map(({ valueExpression }) => scope.compile(valueExpression)),
  };
});

function fails(policy: KubernetesObject): boolean {
  return policySpec(policy).failurePolicy !== "Ignore";
}

function named(
  policy: KubernetesObject,
  binding: KubernetesObject | undefined,
  message: string,
): string {
  const bound = binding === undefined ? "" : ` with binding '${binding.metadata.name}'`;
  return `ValidatingAdmissionPolicy '${policy.metadata.name}'${bound} denied request: ${message}`;
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function denied(attributes: AdmissionAttributes, { message, reason }: Denial): StatusError {
  const { status } = admissionRefusal(attributes, message);
  const given = reason === "" ? "Invalid" : reason;
  return new StatusError(codes[given] ?? 422, given, status.message ?? "", {
    ...status.details,
    causes: [{ message }],
  });
}
