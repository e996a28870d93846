import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../json/index.ts";
import { findDuplicates } from "./duplicate-items.ts";
import {
  invalid,
  notSupported,
  requiredField,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { equalJson, matchOldItems } from "./old-items.ts";
import { compileRegularExpression } from "./regular-expression.ts";
import type { Schema } from "./schema.ts";
import { isKnownFormat, matchesFormat } from "./string-format.ts";

/**
 * What a custom resource violates of its schema, in the server's words and order. CEL rules are not
 * evaluated here. `path` is where the value stands; the whole object is at the empty path. What was
 * wrong with an old value and has not changed is not reported.
 */
export function validate(
  schema: Schema,
  value: JsonValue,
  path = "",
  old?: JsonValue,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateValue(schema, value, path, errors, old);
  if (old === undefined || !hasDuplicates(schema, old)) findDuplicates(schema, value, path, errors);
  return errors;
}

function hasDuplicates(schema: Schema, value: JsonValue): boolean {
  const errors: FieldError[] = [];
  findDuplicates(schema, value, "", errors);
  return errors.length > 0;
}

function validateValue(
  schema: Schema,
  value: JsonValue,
  path: string,
  errors: FieldError[],
  old?: JsonValue,
): void {
  if (old !== undefined && equalJson(value, old)) return;
  const hasType = validateType(schema, value, path, errors);
  validateJunctors(schema, value, path, errors);
  if (value === null) return;
  if (typeof value === "string") {
    if (hasType) validateString(schema, value, path, errors);
  } else if (typeof value === "number" || typeof value === "bigint") {
    if (hasType || isNumeric(schema)) validateNumber(schema, value, path, errors);
  } else if (Array.isArray(value) && hasType) validateList(schema, value, path, errors, old);
  if (schema.enum !== undefined && hasType) validateEnum(schema.enum, value, path, errors);
  if (typeof value === "object" && !Array.isArray(value) && hasType) {
    validateMap(schema, value, path, errors, old);
  }
}

function validateType(
  schema: Schema,
  value: JsonValue,
  path: string,
  errors: FieldError[],
): boolean {
  const expected = schema.intOrString === true ? "integer,string" : schema.type;
  if (expected === undefined || (value === null && schema.nullable === true)) return true;
  const actual = typeName(value);
  if (expected.split(",").includes(actual)) return true;
  if (expected === "number" && actual === "integer") return true;
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  errors.push(typeInvalid(path, actual, detail));
  return false;
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "bigint" ? "integer" : typeof value;
}

function validateString(schema: Schema, value: string, path: string, errors: FieldError[]): void {
  const { maxLength, minLength, pattern, format } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : codePoints(value);
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  else if (minLength !== undefined && length < minLength) {
    const detail = `${path} in body should be at least ${minLength} chars long`;
    errors.push(invalid(path, value, detail));
  } else if (pattern !== undefined && !matchesPattern(pattern, value)) {
    errors.push(invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && isKnownFormat(format) && !matchesFormat(format, value)) {
    const detail = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    errors.push(typeInvalid(path, value, detail));
  }
}

/** Characters as the server counts them. */
function codePoints(text: string): number {
  return Array.from(text).length;
}

function matchesPattern(pattern: string, value: string): boolean {
  const compiled = compileRegularExpression(pattern);
  // The server would not have accepted the schema; such a pattern binds nobody.
  return typeof compiled === "string" || compiled.test(value);
}

function isNumeric(schema: Schema): boolean {
  return schema.type === "integer" || schema.type === "number";
}

function validateNumber(
  schema: Schema,
  value: number | bigint,
  path: string,
  errors: FieldError[],
): void {
  const number = Number(value);
  const { multipleOf, maximum, minimum } = schema;
  const fits = fitsFormat(schema, value);
  if (!fits) {
    const format =
      schema.format === undefined ? "(default format)" : `with format ${schema.format}`;
    const detail = `Checked value must be of type integer ${format} in ${path}`;
    errors.push(invalid("<nil>", "", detail));
  }
  const add = (detail: string): void => {
    errors.push(invalid(path, value, `${path} in body should be ${detail}`));
  };
  if (multipleOf !== undefined && !isMultiple(number, multipleOf)) {
    add(`a multiple of ${multipleOf}`);
  }
  // Whole numbers are compared with the whole part of a limit.
  const whole = (limit: number): number => (Number.isInteger(number) ? Math.trunc(limit) : limit);
  if (maximum !== undefined) {
    const isExclusive = schema.exclusiveMaximum === true;
    if (isExclusive ? number >= whole(maximum) : number > whole(maximum)) {
      add(`less than ${isExclusive ? "" : "or equal to "}${maximum}`);
    }
  }
  if (minimum !== undefined) {
    const isExclusive = schema.exclusiveMinimum === true;
    if (isExclusive ? number <= whole(minimum) : number < whole(minimum)) {
      add(`greater than ${isExclusive ? "" : "or equal to "}${minimum}`);
    }
  }
}

function fitsFormat(schema: Schema, value: number | bigint): boolean {
  if (schema.type !== "integer") return true;
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  if (schema.format === "int32") return value >= -(2 ** 31) && value < 2 ** 31;
  return typeof value === "number" || BigInt.asIntN(64, value) === value;
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function validateEnum(
  allowed: readonly JsonValue[],
  value: JsonValue,
  path: string,
  errors: FieldError[],
): void {
  const text = JSON.stringify(value);
  if (allowed.some((each) => JSON.stringify(each) === text)) return;
  const shown = allowed.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  errors.push(notSupported(path, value, shown));
}

function validateList(
  schema: Schema,
  list: JsonArray,
  path: string,
  errors: FieldError[],
  old: JsonValue | undefined,
): void {
  const { items, minItems, maxItems } = schema;
  if (items !== undefined) {
    const oldItem = matchOldItems(schema, old);
    for (const [index, item] of list.entries()) {
      validateValue(items, item, `${path}[${index}]`, errors, oldItem(item));
    }
  }
  if (minItems !== undefined && list.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    errors.push(invalid(path, list.length, detail));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    errors.push(tooMany(path, list.length, maxItems));
  }
  if (schema.uniqueItems === true && hasEqualItems(list)) {
    errors.push(invalid(path, "", `${path} in body shouldn't contain duplicates`));
  }
}

function hasEqualItems(list: JsonArray): boolean {
  return new Set(list.map((each) => JSON.stringify(each))).size < list.length;
}

function validateMap(
  schema: Schema,
  map: JsonObject,
  path: string,
  errors: FieldError[],
  old: JsonValue | undefined,
): void {
  const oldMap = isJsonObject(old) ? old : {};
  const { minProperties, maxProperties, additionalProperties } = schema;
  const size = Object.keys(map).length;
  if (minProperties !== undefined && size < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push(invalid(path, size, detail));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    errors.push(tooMany(path, size, maxProperties));
  }
  for (const [key, value] of Object.entries(map)) {
    const property = schema.properties?.get(key);
    const at = path === "" ? key : `${path}.${key}`;
    const oldValue = Object.hasOwn(oldMap, key) ? oldMap[key] : undefined;
    // Metadata is the same for all kinds, and checked as such.
    if (property?.name === undefined && property !== undefined) {
      validateValue(property, value, at, errors, oldValue);
    } else if (property === undefined && typeof additionalProperties === "object") {
      validateValue(additionalProperties, value, at, errors, oldValue);
    }
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(map, key)) errors.push(requiredField(path === "" ? key : `${path}.${key}`));
  }
  if (schema.embeddedResource === true && path !== "") validateEmbedded(map, path, errors);
}

function validateEmbedded(map: JsonObject, path: string, errors: FieldError[]): void {
  for (const key of ["apiVersion", "kind"]) {
    if (map[key] === undefined || map[key] === "") errors.push(requiredField(`${path}.${key}`));
  }
}

function validateJunctors(
  schema: Schema,
  value: JsonValue,
  path: string,
  errors: FieldError[],
): void {
  const { anyOf, oneOf, allOf, not } = schema;
  const isIntOrString = schema.intOrString === true;
  const add = (detail: string): void => {
    errors.push(invalid("<nil>", "", `${JSON.stringify(path)} ${detail}`));
  };
  const failuresOf = (each: Schema): readonly FieldError[] => {
    const failures: FieldError[] = [];
    validateValue(each, value, path, failures);
    return failures;
  };
  if (anyOf !== undefined && !isIntOrString) {
    const failures = anyOf.map(failuresOf);
    if (failures.every((each) => each.length > 0)) {
      add("must validate at least one schema (anyOf)");
      errors.push(...(failures[closest(anyOf, value)] ?? []));
    }
  }
  if (oneOf !== undefined) {
    const failures = oneOf.map(failuresOf);
    const valid = failures.filter((each) => each.length === 0).length;
    if (valid === 0) {
      add("must validate one and only one schema (oneOf). Found none valid");
      errors.push(...(failures[closest(oneOf, value)] ?? []));
    } else if (valid > 1) {
      add(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
    }
  }
  if (allOf !== undefined) {
    const failures = allOf.map(failuresOf);
    errors.push(...failures.flat());
    const invalidCount = failures.filter((each) => each.length > 0).length;
    if (invalidCount > 0) {
      const none = invalidCount === allOf.length ? ". None validated" : "";
      add(`must validate all the schemas (allOf)${none}`);
    }
  }
  if (not !== undefined && failuresOf(not).length === 0) add("must not validate the schema (not)");
}

/** The alternative that says most about a value: its failures are the ones worth showing. */
function closest(alternatives: readonly Schema[], value: JsonValue): number {
  const counts = alternatives.map((each) => countMatches(each, value));
  return counts.indexOf(Math.max(...counts));
}

/** How many parts of a value a schema has something to say about. */
function countMatches(schema: Schema, value: JsonValue): number {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return 1;
    return value.reduce<number>((count, item) => count + countMatches(items, item), 1);
  }
  if (!isJsonObject(value)) return 1;
  return Object.entries(value).reduce<number>((count, [key, each]) => {
    const below = properties?.get(key) ?? additionalProperties;
    return count + (typeof below === "object" ? countMatches(below, each) : 0);
  }, 1);
}
