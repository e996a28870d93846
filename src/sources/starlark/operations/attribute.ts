import { EvaluationError, raise } from "../evaluation-error.ts";
import { decodeText } from "../byte-text.ts";
import { bytesMethods } from "../builtins/bytes-methods.ts";
import { dictMethods } from "../builtins/dict-methods.ts";
import { listMethods } from "../builtins/list-methods.ts";
import { setMethods } from "../builtins/set-methods.ts";
import { stringMethods } from "../builtins/string-methods.ts";
import { nearestName } from "../nearest-name.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import { StarlarkBuiltin } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import { StarlarkObject, type Value } from "../values/value.ts";
import { typeName } from "./type-name.ts";

type Methods = ReadonlyMap<string, StarlarkBuiltin>;

/** `operand.name`, with the nearest name in the message when there is none. */
export function attributeOf(operand: Value, name: string): Value {
  const value = findAttribute(operand, name);
  if (value !== undefined) return value;
  const message =
    operand instanceof StarlarkObject
      ? operand.missingAttribute(name)
      : `${typeName(operand)} has no .${name} field or method`;
  const nearest = nearestName(name, attributeNames(operand) ?? []);
  raise(nearest === undefined ? message : `${message} (did you mean .${nearest}?)`);
}

export function findAttribute(operand: Value, name: string): Value | undefined {
  const method = methodOf(operand, name);
  if (method !== undefined) {
    return new StarlarkBuiltin(name, method.code, { value: operand, type: typeName(operand) });
  }
  return operand instanceof StarlarkObject ? operand.attribute(name) : undefined;
}

/** Undefined for types that have no attributes. */
export function attributeNames(operand: Value): readonly string[] | undefined {
  const methods = methodsOf(operand);
  if (methods !== undefined) return [...methods.keys()].sort();
  return operand instanceof StarlarkObject ? operand.attributeNames() : undefined;
}

/** A method of one of the language's own types, not yet bound to the value. */
export function methodOf(operand: Value, name: string): StarlarkBuiltin | undefined {
  return methodsOf(operand)?.get(name);
}

export function setAttribute(operand: Value, name: string, value: Value): void {
  const isSet = operand instanceof StarlarkObject && operand.setAttribute(name, value);
  if (isSet) return;
  throw new EvaluationError(`can't assign to .${decodeText(name)} field of ${typeName(operand)}`);
}

function methodsOf(operand: Value): Methods | undefined {
  if (typeof operand === "string") return stringMethods;
  if (operand instanceof StarlarkList) return listMethods;
  if (operand instanceof StarlarkDict) return dictMethods;
  if (operand instanceof StarlarkSet) return setMethods;
  return operand instanceof StarlarkBytes ? bytesMethods : undefined;
}
