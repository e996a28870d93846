import { equalValues, isJsonObject, type JsonObject } from "../json/index.ts";
import {
  convertSchema,
  crdSchema,
  type FieldError,
  invalid,
  notSupported,
  requiredField,
  type Schema,
  type ValidationRule,
} from "../schema/index.ts";
import { bounded } from "./call-cost.ts";
import { formatType } from "./cel-type.ts";
import type { Compilation } from "./compile-cel.ts";
import { estimateCost } from "./estimate-cost.ts";
import { leadsToField, readFieldPath } from "./field-path.ts";
import { RuleCosts } from "./rule-costs.ts";
import { rulePrograms, type RuleProgram } from "./rule-program.ts";
import { largestRequest, smallestBytes } from "./schema-size.ts";
import { schemaType } from "./schema-type.ts";

/**
 * What is wrong with the rules in the schemas of a custom resource definition, in the server's
 * words. Rules are compiled only once they all have their shape.
 */
export function definitionRuleErrors(
  definition: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const versions = versionsOf(definition);
  const roots = versions.flatMap((version, index) => {
    const node = schemaOf(version);
    // With one version, the server speaks of the fields that older definitions had at the top.
    const path = versions.length === 1 ? "spec.validation" : `spec.versions[${index}].schema`;
    if (node === undefined) return [];
    const before = versionsOf(old ?? {}).find(({ name }) => name === version["name"]);
    const isUnchanged = before !== undefined && equalValues(schemaOf(before), node);
    return [{ node, path: `${path}.openAPIV3Schema`, isUnchanged }];
  });
  const misshapen = roots.flatMap(({ node, path }) =>
    collect(convertSchema(node), outermost(path), shapeErrors),
  );
  if (misshapen.length > 0) return misshapen;
  return roots.flatMap(({ node, path, isUnchanged }) => {
    const costs = new RuleCosts(isUnchanged);
    // At the root, rules see the name and kind that every object has.
    const schema = mentionsRules(node) ? crdSchema(node) : {};
    const errors = collect(schema, outermost(path), (...level) => compileErrors(...level, costs));
    return [...errors, ...costs.totalErrors(path)];
  });
}

function versionsOf({ spec }: JsonObject): readonly JsonObject[] {
  const versions = isJsonObject(spec) ? spec["versions"] : undefined;
  return Array.isArray(versions) ? versions.filter(isJsonObject) : [];
}

function schemaOf({ schema }: JsonObject): JsonObject | undefined {
  const node = isJsonObject(schema) ? schema["openAPIV3Schema"] : undefined;
  return isJsonObject(node) ? node : undefined;
}

/** One level of a schema. */
interface Level {
  readonly path: string;
  /** The list above it whose items cannot be told apart, if there is one. */
  readonly uncorrelatable: string | undefined;
  /** How often values of it can be in an object, where lists and maps above it say so. */
  readonly occurrences: number | undefined;
}

function outermost(path: string): Level {
  return { path, uncorrelatable: undefined, occurrences: 1 };
}

type Check = (schema: Schema, at: string, level: Level) => readonly FieldError[];

function mentionsRules(node: JsonObject): boolean {
  return JSON.stringify(node, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  ).includes('"x-kubernetes-validations"');
}

/** Checks every level of a schema that has rules. */
function collect(schema: Schema, level: Level, check: Check): readonly FieldError[] {
  const { path, uncorrelatable } = level;
  const errors: FieldError[] = [];
  if ((schema.validations ?? []).length > 0) {
    errors.push(...check(schema, `${path}.x-kubernetes-validations`, level));
  }
  const { items, additionalProperties, properties, listType } = schema;
  if (items !== undefined) {
    const below = listType === "map" ? uncorrelatable : (uncorrelatable ?? path);
    const occurrences = times(level.occurrences, schema.maxItems);
    const inner = { path: `${path}.items`, uncorrelatable: below, occurrences };
    errors.push(...collect(items, inner, check));
  }
  if (typeof additionalProperties === "object") {
    const occurrences = times(level.occurrences, schema.maxProperties);
    const inner = { ...level, path: `${path}.additionalProperties`, occurrences };
    errors.push(...collect(additionalProperties, inner, check));
  }
  for (const [key, property] of properties ?? []) {
    if (property.name !== undefined) continue;
    errors.push(...collect(property, { ...level, path: `${path}.properties[${key}]` }, check));
  }
  return errors;
}

function times(occurrences: number | undefined, most: number | undefined): number | undefined {
  if (occurrences === undefined || most === undefined) return undefined;
  return bounded(occurrences * Math.max(0, most));
}

const reasons = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

function shapeErrors(schema: Schema, at: string): readonly FieldError[] {
  return (schema.validations ?? []).flatMap((rule, index) =>
    ruleShapeErrors(rule, schema, `${at}[${index}]`),
  );
}

function ruleShapeErrors(rule: ValidationRule, schema: Schema, at: string): readonly FieldError[] {
  const { message, messageExpression, reason, fieldPath } = rule;
  const text = typeof rule.rule === "string" ? rule.rule.trim() : "";
  const errors: FieldError[] = [];
  if (text === "") errors.push(requiredField(`${at}.rule`, "rule is not specified"));
  if (message !== undefined && message !== "") {
    const shown = message.trim();
    if (shown === "")
      errors.push(invalid(`${at}.message`, message, "must be non-empty if specified"));
    else if (shown.includes("\n")) {
      errors.push(invalid(`${at}.message`, message, "must not contain line breaks"));
    }
  } else if (text.includes("\n")) {
    const detail = "message must be specified if rule contains line breaks";
    errors.push(requiredField(`${at}.message`, detail));
  }
  if (
    messageExpression !== undefined &&
    messageExpression !== "" &&
    messageExpression.trim() === ""
  ) {
    const detail = "messageExpression must be non-empty if specified";
    errors.push(requiredField(`${at}.messageExpression`, detail));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(`${at}.reason`, reason, reasons));
  }
  if (fieldPath !== undefined && fieldPath !== "") {
    if (fieldPath.trim() === "") {
      errors.push(invalid(`${at}.fieldPath`, fieldPath, "must be non-empty if specified"));
    }
    const steps = readFieldPath(fieldPath);
    if (steps === undefined || !leadsToField(schema, steps)) {
      errors.push(invalid(`${at}.fieldPath`, fieldPath, "must be a valid path"));
    }
  }
  return errors;
}

function compileErrors(
  schema: Schema,
  at: string,
  level: Level,
  costs: RuleCosts,
): readonly FieldError[] {
  if (schemaType(schema, "selfType") === undefined) {
    const detail =
      "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
    return [{ type: "InternalError", field: at, detail }];
  }
  return rulePrograms(schema).flatMap((program, index) => [
    ...costErrors(program, schema, `${at}[${index}]`, level, costs),
    ...programErrors(program, `${at}[${index}]`, level.uncorrelatable),
  ]);
}

/** A rule costs as much as it can for one value, as often as there can be such values. */
function costErrors(
  { condition, message }: RuleProgram,
  schema: Schema,
  at: string,
  { occurrences }: Level,
  costs: RuleCosts,
): readonly FieldError[] {
  if (condition.kind === "problems" || problemOf(condition, "bool", "", "") !== undefined)
    return [];
  const count = occurrences ?? Math.floor(largestRequest / (smallestBytes(schema) + 1));
  const cost = bounded(estimateCost(condition.program, schema) * count);
  const errors = [...costs.observe(`${at}.rule`, "rule", cost)];
  if (message?.kind === "program" && problemOf(message, "string", "", "") === undefined) {
    const text = estimateCost(message.program, schema);
    errors.push(...costs.observe(`${at}.messageExpression`, "messageExpression", text));
  }
  return errors;
}

function programErrors(
  program: RuleProgram,
  at: string,
  uncorrelatable: string | undefined,
): readonly FieldError[] {
  const { rule, condition, message, usesOldSelf } = program;
  const errors: FieldError[] = [];
  const problem = problemOf(condition, "bool", "", "cel expression");
  if (problem !== undefined) errors.push(refusedRule(rule, `${at}.rule`, problem));
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalid(`${at}.rule`, rule.rule, detail));
  }
  if (rule.optionalOldSelf !== undefined && !usesOldSelf) {
    const detail = "may not be set if oldSelf is not used in rule";
    errors.push(invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, detail));
  }
  // What is said about a rule that is none has no use.
  if (message !== undefined && problem === undefined) {
    const text = problemOf(message, "string", "messageExpression ", "messageExpression");
    if (text !== undefined) errors.push(refusedRule(rule, `${at}.messageExpression`, text));
  }
  return errors;
}

function problemOf(
  compilation: Compilation,
  kind: "bool" | "string",
  prefix: string,
  subject: string,
): string | undefined {
  if (compilation.kind === "problems") return `${prefix}compilation failed: ${compilation.text}`;
  const { type } = compilation.program;
  if (formatType(type) === kind || type.kind === "dyn") return undefined;
  return `${subject} must evaluate to a ${kind}`;
}

/** The server shows the whole rule as its own code has it. */
function refusedRule(rule: ValidationRule, field: string, detail: string): FieldError {
  const shown = JSON.stringify({
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }).replaceAll(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  return { type: "FieldValueInvalid", field, detail: `Invalid value: ${shown}: ${detail}` };
}
