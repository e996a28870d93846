import type { ModuleReference } from "../place.ts";
import { check, type Use } from "./check.ts";
import { add } from "./text.ts";

/** The operators that calculate; `+` also joins text and stands apart. */
export type ArithmeticOperator =
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "<<"
  | ">>"
  | ">>>"
  | "&"
  | "|"
  | "^";

/** A property that is read and then written: object and key are evaluated once, and read at once. */
class Reference {
  readonly #object: Record<PropertyKey, unknown>;
  readonly #key: PropertyKey;
  readonly #value: unknown;

  constructor(object: unknown, key: unknown) {
    this.#object = object as Record<PropertyKey, unknown>;
    // An object used as key is converted for reading and again for writing, as the engine does it.
    this.#key = key as PropertyKey;
    this.#value = this.#object[this.#key];
  }

  get(use: Use, start: number, end: number, module: ModuleReference): unknown {
    return check(this.#value, use, start, end, module);
  }

  set(value: unknown): unknown {
    this.#object[this.#key] = value;
    return value;
  }

  add(right: unknown, start: number, end: number, module: ModuleReference): unknown {
    return this.set(add(this.#value, right, start, end, module));
  }

  calculate(
    operator: ArithmeticOperator,
    right: unknown,
    start: number,
    end: number,
    module: ModuleReference,
  ): unknown {
    check(this.#value, "arithmetic", start, end, module);
    check(right, "arithmetic", start, end, module);
    return this.set(calculate(operator, this.#value as number, right as number));
  }

  /** `++` and `--`; gives the old value when the operator stands behind. */
  step(
    operator: "++" | "--",
    prefix: boolean,
    start: number,
    end: number,
    module: ModuleReference,
  ): unknown {
    let value = check(this.#value, "arithmetic", start, end, module) as number;
    const old = operator === "++" ? value++ : value--;
    this.set(value);
    return prefix ? value : old;
  }
}

export function reference(object: unknown, key: unknown): Reference {
  return new Reference(object, key);
}

export function withReference(
  object: unknown,
  key: unknown,
  use: (reference: Reference) => unknown,
): unknown {
  return use(new Reference(object, key));
}

/** Gives the last of its arguments: a sequence that does not begin with a parenthesis. */
export function last(...values: readonly unknown[]): unknown {
  return values.at(-1);
}

/** Gives the first of its arguments, after the others have been evaluated. */
export function first(value: unknown): unknown {
  return value;
}

function calculate(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return left ** right;
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case ">>>":
      return left >>> right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
  }
}
