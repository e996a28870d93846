import {
  boolType,
  type CelType,
  dyn,
  errorType,
  formatType,
  isAssignable,
  joinTypes,
  listOf,
  mapOf,
  optionalOf,
  scalar,
  substitute,
  type Substitution,
} from "./cel-type.ts";
import type { CompileProblem } from "./compile-problem.ts";
import type { CelCall, CelComprehension, CelExpression } from "./expression.ts";
import { isKnownFunction } from "./library/index.ts";
import { literalProblem } from "./literal-problem.ts";
import type { Overload } from "./overload.ts";
import { dottedName } from "./parse-cel.ts";
import { typeNames } from "./type-names.ts";
import { valueKind } from "./values.ts";

export interface CheckedExpression {
  readonly type: CelType;
  readonly problems: readonly CompileProblem[];
  /** The type of every part of it. */
  readonly types: ReadonlyMap<CelExpression, CelType>;
}

type Scope = ReadonlyMap<string, CelType>;

/** The types that an expression can make objects of, by name. */
export type MessageTypes = (name: string) => CelType | undefined;

/** The type of an expression, and what is wrong with it given the types of its variables. */
export function checkCel(
  expression: CelExpression,
  variables: Scope,
  messages: MessageTypes,
): CheckedExpression {
  const problems: CompileProblem[] = [];
  const types = new Map<CelExpression, CelType>();
  const type = new Checker(problems, types, messages).check(expression, variables);
  // In the order of the text; the checker meets operands before their operator.
  problems.sort((left, right) => left.position - right.position);
  return { type, problems, types };
}

class Checker {
  readonly #problems: CompileProblem[];
  readonly #types: Map<CelExpression, CelType>;
  readonly #messages: MessageTypes;
  /** Within the arguments of `format`, lists and maps may be of several types. */
  #allowsMixed = false;

  constructor(
    problems: CompileProblem[],
    types: Map<CelExpression, CelType>,
    messages: MessageTypes,
  ) {
    this.#problems = problems;
    this.#types = types;
    this.#messages = messages;
  }

  check(expression: CelExpression, scope: Scope): CelType {
    const type = this.#check(expression, scope);
    this.#types.set(expression, type);
    return type;
  }

  #check(expression: CelExpression, scope: Scope): CelType {
    switch (expression.kind) {
      case "literal": {
        const kind = valueKind(expression.value);
        return kind === "list" || kind === "map" || kind === "optional"
          ? dyn
          : scalar(kind as "int");
      }
      case "identifier":
        return this.#checkName(expression.name, expression.position, scope);
      case "select":
        return this.#checkSelect(expression, scope);
      case "index":
        return this.#checkIndex(expression, scope);
      case "call":
        return this.#checkCall(expression, scope);
      case "logical":
        for (const operand of [expression.left, expression.right]) {
          this.#expect(boolType, this.check(operand, scope), operand.position);
        }
        return boolType;
      case "conditional":
        return this.#conditional(
          expression.position,
          this.check(expression.condition, scope),
          this.check(expression.whenTrue, scope),
          this.check(expression.whenFalse, scope),
        );
      case "list":
        return listOf(this.#checkItems(expression.items, scope, expression.optionals));
      case "map":
        if (expression.typeName !== undefined) {
          return this.#checkMessage(expression, expression.typeName, scope);
        }
        return mapOf(
          this.#checkItems(
            expression.entries.map(([key]) => key),
            scope,
          ),
          this.#checkItems(
            expression.entries.map(([, value]) => value),
            scope,
            expression.optionals,
          ),
        );
      case "comprehension":
        return this.#checkComprehension(expression, scope);
      case "optional-map": {
        const target = this.check(expression.target, scope);
        const inner = target.kind === "optional" ? target.item : dyn;
        const body = this.check(expression.body, new Map([...scope, [expression.variable, inner]]));
        return expression.isFlat ? body : optionalOf(body);
      }
    }
  }

  #report(position: number, message: string): CelType {
    this.#problems.push({ position, message });
    return errorType;
  }

  #expect(expected: CelType, actual: CelType, position: number): void {
    if (isAssignable(expected, actual, new Map())) return;
    const [wanted, found] = [formatType(expected), formatType(actual)];
    this.#report(position, `expected type '${wanted}' but found '${found}'`);
  }

  #checkName(name: string, position: number, scope: Scope): CelType {
    const variable = scope.get(name);
    if (variable !== undefined) return variable;
    if (typeNames.has(name)) return scalar("type");
    return this.#report(position, `undeclared reference to '${name}' (in container '')`);
  }

  #checkSelect(expression: CelExpression & { kind: "select" }, scope: Scope): CelType {
    const qualified = dottedName(expression);
    if (qualified !== undefined && typeNames.has(qualified)) return scalar("type");
    const variable = qualified === undefined ? undefined : scope.get(qualified);
    if (variable !== undefined) return variable;
    const operand = this.check(expression.operand, scope);
    const inner = operand.kind === "optional" ? operand.item : operand;
    const found = this.#fieldType(inner, expression.field, expression.position);
    if (expression.mode === "presence") return boolType;
    const isOptional = expression.mode === "optional" || operand.kind === "optional";
    return isOptional && found.kind !== "error" ? optionalOf(found) : found;
  }

  #fieldType(operand: CelType, field: string, position: number): CelType {
    if (operand.kind === "error") return errorType;
    if (operand.kind === "dyn" || operand.kind === "parameter") return dyn;
    if (operand.kind === "map") return operand.value.kind === "parameter" ? dyn : operand.value;
    if (operand.kind === "object") {
      return operand.fields.get(field) ?? this.#report(position, `undefined field '${field}'`);
    }
    return this.#report(position, `type '${formatType(operand)}' does not support field selection`);
  }

  #checkIndex(expression: CelExpression & { kind: "index" }, scope: Scope): CelType {
    const operand = this.check(expression.operand, scope);
    const index = this.check(expression.index, scope);
    const inner = operand.kind === "optional" ? operand.item : operand;
    const isOptional = expression.mode === "optional" || operand.kind === "optional";
    const wrap = (type: CelType): CelType => (isOptional ? optionalOf(type) : type);
    if (inner.kind === "dyn" || inner.kind === "error") return wrap(dyn);
    if (inner.kind === "list" && isAssignable(scalar("int"), index, new Map())) {
      return wrap(inner.item);
    }
    if (inner.kind === "map" && isAssignable(inner.key, index, new Map())) return wrap(inner.value);
    const name = expression.mode === "optional" ? "_[?_]" : "_[_]";
    return this.#noOverload(name, undefined, [operand, index], expression.position);
  }

  #checkCall(call: CelCall, scope: Scope): CelType {
    const target = call.target && this.check(call.target, scope);
    const args = this.#checkArguments(call, scope);
    if (call.overloads.length === 0 && !isKnownFunction(call.name)) {
      return this.#report(
        call.position,
        `undeclared reference to '${call.name}' (in container '')`,
      );
    }
    const given = target === undefined ? args : [target, ...args];
    const result = resultOf(call.overloads, given);
    if (result === undefined) return this.#noOverload(call.name, target, args, call.position);
    const literal = literalProblem(call);
    return literal === undefined ? result : this.#report(literal.position, literal.message);
  }

  #checkArguments(call: CelCall, scope: Scope): readonly CelType[] {
    const before = this.#allowsMixed;
    this.#allowsMixed ||= call.name === "format";
    const args = call.args.map((arg) => this.check(arg, scope));
    this.#allowsMixed = before;
    return args;
  }

  #noOverload(
    name: string,
    target: CelType | undefined,
    args: readonly CelType[],
    position: number,
  ): CelType {
    const list = `(${args.map(formatType).join(", ")})`;
    const applied = target === undefined ? list : `${formatType(target)}.${list}`;
    return this.#report(
      position,
      `found no matching overload for '${name}' applied to '${applied}'`,
    );
  }

  #conditional(position: number, condition: CelType, then: CelType, otherwise: CelType): CelType {
    const fits =
      isAssignable(boolType, condition, new Map()) && isAssignable(then, otherwise, new Map());
    if (!fits) return this.#noOverload("_?_:_", undefined, [condition, then, otherwise], position);
    return then.kind === "null" || then.kind === "parameter" ? otherwise : then;
  }

  #checkItems(
    items: readonly CelExpression[],
    scope: Scope,
    optionals?: ReadonlySet<CelExpression>,
  ): CelType {
    let joined: CelType = { kind: "parameter", name: "T" };
    for (const item of items) {
      const isOptional = optionals?.has(item) === true;
      const type = isOptional ? this.#unwrapped(item, scope) : this.check(item, scope);
      if (joined.kind !== "parameter" && !this.#allowsMixed)
        this.#expect(joined, type, item.position);
      joined = joinTypes(joined, type);
    }
    return joined;
  }

  #checkMessage(
    { entries, optionals, position }: CelExpression & { kind: "map" },
    typeName: string,
    scope: Scope,
  ): CelType {
    const type = this.#messages(typeName);
    if (type === undefined) {
      return this.#report(position, `undeclared reference to '${typeName}' (in container '')`);
    }
    for (const [key, value] of entries) {
      const field = key.kind === "literal" && typeof key.value === "string" ? key.value : "";
      const expected = this.#fieldType(type, field, key.position);
      const isOptional = optionals?.has(value) === true;
      const found = isOptional ? this.#unwrapped(value, scope) : this.check(value, scope);
      if (isAssignable(expected, found, new Map())) continue;
      this.#report(
        key.position,
        `expected type of field '${field}' is '${formatType(expected)}' but provided type is '${formatType(found)}'`,
      );
    }
    return type;
  }

  /** What an optional holds; anything else cannot be left out. */
  #unwrapped(item: CelExpression, scope: Scope): CelType {
    const type = this.check(item, scope);
    if (type.kind === "optional") return type.item;
    if (type.kind === "dyn" || type.kind === "error") return type;
    const found = formatType(type);
    return this.#report(
      item.position,
      `expected type 'optional_type(${found})' but found '${found}'`,
    );
  }

  #checkComprehension(expression: CelComprehension, scope: Scope): CelType {
    const { macro, range, variables, condition, transform, position } = expression;
    const rangeType = this.check(range, scope);
    const [keyOrIndex, item] = this.#rangeTypes(rangeType, range.position);
    const inner = new Map(scope);
    const [first, second] = variables;
    if (second === undefined) inner.set(first, rangeType.kind === "map" ? keyOrIndex : item);
    else inner.set(first, keyOrIndex).set(second, item);
    const conditionType = condition && this.check(condition, inner);
    if (macro === "all" || macro === "exists") {
      if (condition !== undefined && conditionType !== undefined) {
        this.#expect(boolType, conditionType, condition.position);
      }
      return boolType;
    }
    const transformType = transform === undefined ? undefined : this.check(transform, inner);
    const result = comprehensionResult(macro, rangeType, item, keyOrIndex, transformType);
    if (conditionType !== undefined) {
      const accumulated = macro === "exists_one" ? scalar("int") : result;
      this.#conditional(position, conditionType, accumulated, accumulated);
    }
    return result;
  }

  #rangeTypes(range: CelType, position: number): readonly [CelType, CelType] {
    if (range.kind === "list") {
      return [scalar("int"), range.item.kind === "parameter" ? dyn : range.item];
    }
    if (range.kind === "map") return [range.key, range.value];
    if (range.kind === "dyn" || range.kind === "error") return [dyn, dyn];
    const shown = formatType(range);
    this.#report(
      position,
      `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [errorType, errorType];
  }
}

function comprehensionResult(
  macro: CelComprehension["macro"],
  range: CelType,
  item: CelType,
  key: CelType,
  transform: CelType = dyn,
): CelType {
  switch (macro) {
    case "filter":
      return listOf(range.kind === "map" ? key : item);
    case "map":
    case "transformList":
      return listOf(transform);
    case "transformMap":
      return mapOf(key, transform);
    case "transformMapEntry":
      return transform.kind === "map" ? transform : mapOf(dyn, dyn);
    case "sortBy":
      return listOf(item);
    case "all":
    case "exists":
    case "exists_one":
      return boolType;
  }
}

/** What a call gives; dynamic when several overloads fit and disagree. */
function resultOf(overloads: readonly Overload[], args: readonly CelType[]): CelType | undefined {
  let result: CelType | undefined;
  for (const overload of overloads) {
    const substitution: Substitution = new Map();
    const fits = overload.parameters.every((parameter, index) =>
      isAssignable(parameter, args[index] ?? dyn, substitution),
    );
    if (!fits) continue;
    const found = substitute(overload.result, substitution);
    if (result !== undefined && formatType(result) !== formatType(found)) return dyn;
    result = found;
  }
  return result;
}
