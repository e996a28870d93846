import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../json/index.ts";
import {
  equalJson,
  type FieldError,
  matchOldItems,
  type Schema,
  type ValidationRule,
} from "../schema/index.ts";
import { evaluate, type CelEvaluation, ruleCostLimit } from "./compile-cel.ts";
import { joinFieldPath } from "./field-path.ts";
import { rulePrograms, type RuleProgram } from "./rule-program.ts";

/** What all rules of one object may cost together. */
const objectCostLimit = 10_000_000;

/**
 * What an object violates of the rules in its schema (`x-kubernetes-validations`), in the server's
 * words. The old object is what transitions are compared with; and what was wrong in it and has not
 * changed is not held against the new one, only warned of.
 */
export function validationErrors(
  schema: Schema,
  value: JsonValue,
  oldValue: JsonValue | undefined,
  warn: (error: FieldError) => void = () => undefined,
): readonly FieldError[] {
  if (!hasRules(schema)) return [];
  const walk: Walk = { errors: [], warn, budget: objectCostLimit };
  walkValue(schema, value, { old: oldValue, isUnchanged: false }, "", walk);
  return walk.errors;
}

interface Walk {
  readonly errors: FieldError[];
  readonly warn: (error: FieldError) => void;
  budget: number;
}

/** The old value, where there is one that can be told to be the same thing. */
interface Before {
  readonly old: JsonValue | undefined;
  /** Inherited by items that have no counterpart of their own. */
  readonly isUnchanged: boolean;
}

const schemasWithRules = new WeakMap<Schema, boolean>();

/** Whether a schema has a rule anywhere. */
export function hasRules(schema: Schema): boolean {
  const known = schemasWithRules.get(schema);
  if (known !== undefined) return known;
  schemasWithRules.set(schema, false);
  const { validations = [], items, additionalProperties, properties } = schema;
  const found =
    validations.length > 0 ||
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === "object" && hasRules(additionalProperties)) ||
    [...(properties?.values() ?? [])].some((each) => each.name === undefined && hasRules(each));
  schemasWithRules.set(schema, found);
  return found;
}

function walkValue(
  schema: Schema,
  value: JsonValue,
  before: Before,
  path: string,
  walk: Walk,
): void {
  if (!hasRules(schema) || walk.budget < 0) return;
  const isUnchanged = before.old === undefined ? before.isUnchanged : equalJson(before.old, value);
  const here: Before = { old: before.old, isUnchanged };
  // A null that is allowed stands for nothing.
  if (value === null && schema.nullable === true) return;
  for (const program of rulePrograms(schema)) {
    applyRule(program, schema, value, here, path, walk);
    if (walk.budget < 0) return;
  }
  if (Array.isArray(value)) walkList(schema, value, here, path, walk);
  else if (isJsonObject(value)) walkMap(schema, value, here, path, walk);
}

function walkList(
  schema: Schema,
  list: readonly JsonValue[],
  { old, isUnchanged }: Before,
  path: string,
  walk: Walk,
): void {
  const { items } = schema;
  if (items === undefined || !hasRules(items)) return;
  const oldItem = matchOldItems(schema, old);
  for (const [index, item] of list.entries()) {
    walkValue(items, item, { old: oldItem(item), isUnchanged }, `${path}[${index}]`, walk);
  }
}

function walkMap(
  schema: Schema,
  map: JsonObject,
  { old, isUnchanged }: Before,
  path: string,
  walk: Walk,
): void {
  const { properties, additionalProperties } = schema;
  const oldMap = isJsonObject(old) ? old : {};
  for (const key of Object.keys(map).sort()) {
    const value = map[key] ?? null;
    const oldValue = Object.hasOwn(oldMap, key) ? oldMap[key] : undefined;
    const before = { old: oldValue, isUnchanged };
    const property = properties?.get(key);
    if (property !== undefined) {
      // Metadata is the same for all kinds and has no rules.
      if (property.name !== undefined) continue;
      walkValue(property, value, before, path === "" ? key : `${path}.${key}`, walk);
    } else if (typeof additionalProperties === "object") {
      walkValue(additionalProperties, value, before, `${path}[${key}]`, walk);
    }
  }
}

function applyRule(
  program: RuleProgram,
  schema: Schema,
  value: JsonValue,
  { old, isUnchanged }: Before,
  path: string,
  walk: Walk,
): void {
  const { rule, condition, usesOldSelf } = program;
  if (condition.kind === "problems") {
    const text = `rule compile error: compilation failed: ${condition.text}`;
    walk.errors.push(invalidAt(path, JSON.stringify(typeName(value)), text));
    return;
  }
  if (usesOldSelf && old === undefined && rule.optionalOldSelf !== true) return;
  const bindings = { self: value, oldSelf: old };
  const costLimit = Math.min(walk.budget, ruleCostLimit);
  const result = evaluate(condition.program, bindings, { costLimit });
  walk.budget -= result.cost;
  if (result.kind === "value" && result.value === true) return;
  if (result.kind === "too-costly") {
    const text = `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${shownRule(rule)}`;
    walk.errors.push(invalidAt(path, JSON.stringify(typeName(value)), text));
    walk.budget = -1;
  } else if (result.kind === "failure") {
    const text = failureText(result.message, rule);
    walk.errors.push(invalidAt(path, JSON.stringify(typeName(value)), text));
  } else {
    const detail = messageOf(program, bindings, walk) ?? defaultMessage(rule);
    const field = joinFieldPath(path, rule.fieldPath ?? "", schema);
    const error = errorFor(rule, field, value, detail);
    if (!usesOldSelf && isUnchanged) walk.warn(error);
    else walk.errors.push(error);
  }
}

function failureText(message: string, rule: ValidationRule): string {
  return message.startsWith("no such overload")
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shownRule(rule)}`
    : `${message} evaluating rule: ${shownRule(rule)}`;
}

function shownRule({ rule, message = "" }: ValidationRule): string {
  return message.trim() === "" ? rule.trim() : message.trim();
}

function defaultMessage({ rule, message = "" }: ValidationRule): string {
  return message.trim() === "" ? `failed rule: ${rule.trim()}` : message.trim();
}

/** The text of the message expression, when it gives one that is fit to be shown. */
function messageOf(
  { message }: RuleProgram,
  bindings: Readonly<Record<string, JsonValue | undefined>>,
  walk: Walk,
): string | undefined {
  if (message?.kind !== "program") return undefined;
  const costLimit = Math.min(walk.budget, ruleCostLimit);
  const result: CelEvaluation = evaluate(message.program, bindings, { costLimit });
  walk.budget -= result.cost;
  if (result.kind !== "value" || typeof result.value !== "string") return undefined;
  const text = result.value.trim();
  return text === "" || text.includes("\n") ? undefined : text;
}

function errorFor(
  { reason }: ValidationRule,
  field: string,
  value: JsonValue,
  detail: string,
): FieldError {
  // Of lists and objects the server does not repeat what a rule refuses.
  const shown = typeof value === "object" ? undefined : stringifyJson(value);
  switch (reason) {
    case "FieldValueForbidden":
      return { type: "FieldValueForbidden", field, detail: `Forbidden: ${detail}` };
    case "FieldValueRequired":
      return { type: "FieldValueRequired", field, detail: `Required value: ${detail}` };
    case "FieldValueDuplicate": {
      const subject = shown === undefined ? "" : `: ${shown}`;
      return { type: "FieldValueDuplicate", field, detail: `Duplicate value${subject}` };
    }
    case undefined:
    default:
      return invalidAt(field, shown, detail);
  }
}

function invalidAt(path: string, shown: string | undefined, detail: string): FieldError {
  const field = path === "" ? "<nil>" : path;
  const subject = shown === undefined ? "" : `${shown}: `;
  return { type: "FieldValueInvalid", field, detail: `Invalid value: ${subject}${detail}` };
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "bigint" ? "integer" : typeof value;
}
