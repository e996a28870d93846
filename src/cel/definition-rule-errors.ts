import { isJsonObject, type JsonObject } from "../objects/index.ts";
import {
  convertSchema,
  crdSchema,
  type FieldError,
  invalid,
  notSupported,
  required,
  type Schema,
  type ValidationRule,
} from "../schema/index.ts";
import { formatType } from "./cel-type.ts";
import type { Compilation } from "./compile-expression.ts";
import { leadsToField, readFieldPath } from "./field-path.ts";
import { rulePrograms, type RuleProgram } from "./rule-program.ts";
import { schemaType } from "./schema-type.ts";

/**
 * What is wrong with the rules in the schemas of a custom resource definition, in the server's
 * words. Rules are compiled only once they all have their shape.
 */
export function definitionRuleErrors(definition: JsonObject): readonly FieldError[] {
  const { spec } = definition;
  const versions = isJsonObject(spec) && Array.isArray(spec["versions"]) ? spec["versions"] : [];
  const roots = versions.flatMap((version, index) => {
    const schema = isJsonObject(version) ? version["schema"] : undefined;
    const node = isJsonObject(schema) ? schema["openAPIV3Schema"] : undefined;
    // With one version, the server speaks of the fields that older definitions had at the top.
    const path = versions.length === 1 ? "spec.validation" : `spec.versions[${index}].schema`;
    return isJsonObject(node) ? [{ node, path: `${path}.openAPIV3Schema` }] : [];
  });
  const misshapen = roots.flatMap(({ node, path }) =>
    collect(convertSchema(node), path, shapeErrors),
  );
  if (misshapen.length > 0) return misshapen;
  return roots.flatMap(({ node, path }) =>
    // At the root, rules see the name and kind that every object has.
    collect(mentionsRules(node) ? crdSchema(node) : {}, path, compileErrors),
  );
}

type Check = (
  schema: Schema,
  at: string,
  uncorrelatable: string | undefined,
) => readonly FieldError[];

function mentionsRules(node: JsonObject): boolean {
  return JSON.stringify(node, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  ).includes('"x-kubernetes-validations"');
}

/** Checks every level of a schema that has rules. */
function collect(
  schema: Schema,
  path: string,
  check: Check,
  uncorrelatable?: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((schema.validations ?? []).length > 0) {
    errors.push(...check(schema, `${path}.x-kubernetes-validations`, uncorrelatable));
  }
  const { items, additionalProperties, properties, listType } = schema;
  if (items !== undefined) {
    const below = listType === "map" ? uncorrelatable : (uncorrelatable ?? path);
    errors.push(...collect(items, `${path}.items`, check, below));
  }
  if (typeof additionalProperties === "object") {
    const at = `${path}.additionalProperties`;
    errors.push(...collect(additionalProperties, at, check, uncorrelatable));
  }
  for (const [key, property] of properties ?? []) {
    if (property.name !== undefined) continue;
    errors.push(...collect(property, `${path}.properties[${key}]`, check, uncorrelatable));
  }
  return errors;
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
  if (text === "") errors.push(required(`${at}.rule`, "rule is not specified"));
  if (message !== undefined && message !== "") {
    const shown = message.trim();
    if (shown === "")
      errors.push(invalid(`${at}.message`, message, "must be non-empty if specified"));
    else if (shown.includes("\n")) {
      errors.push(invalid(`${at}.message`, message, "must not contain line breaks"));
    }
  } else if (text.includes("\n")) {
    const detail = "message must be specified if rule contains line breaks";
    errors.push(required(`${at}.message`, detail));
  }
  if (
    messageExpression !== undefined &&
    messageExpression !== "" &&
    messageExpression.trim() === ""
  ) {
    const detail = "messageExpression must be non-empty if specified";
    errors.push(required(`${at}.messageExpression`, detail));
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
  uncorrelatable: string | undefined,
): readonly FieldError[] {
  if (schemaType(schema, "selfType") === undefined) {
    const detail =
      "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
    return [{ type: "InternalError", field: at, detail }];
  }
  return rulePrograms(schema).flatMap((program, index) =>
    programErrors(program, `${at}[${index}]`, uncorrelatable),
  );
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
