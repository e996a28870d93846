import type { ModuleReference } from "../place.ts";
import { check, type Use } from "./check.ts";
import { add } from "./text.ts";

/** The operators that calculate; `+` also joins text and stands apart. */
export type NumericOperator = "-" | "*" | "/" | "%" | "**" | "<<" | ">>" | ">>>" | "&" | "|" | "^";

/** A property that is read and then written: object and key are evaluated once, and read at once. */
class Reference {
  readonly value: unknown;
  readonly #write: (value: unknown) => void;

  constructor(value: unknown, write: (value: unknown) => void) {
    this.value = value;
    this.#write = write;
  }

  /** Itself, whose value decides now whether another one is set. */
  decide(use: Use, start: number, end: number, module: ModuleReference): this {
    check(this.value, use, start, end, module);
    return this;
  }

  set(value: unknown): unknown {
    this.#write(value);
    return value;
  }

  add(right: unknown, start: number, end: number, module: ModuleReference): unknown {
    return this.set(add(this.value, right, start, end, module));
  }

  calculate(
    operator: NumericOperator,
    right: unknown,
    start: number,
    end: number,
    module: ModuleReference,
  ): unknown {
    check(this.value, "arithmetic", start, end, module);
    check(right, "arithmetic", start, end, module);
    return this.set(calculate(operator, this.value as number, right as number));
  }

  /** `++` and `--`; gives the old value when the operator stands behind. */
  step(
    operator: "++" | "--",
    prefix: boolean,
    start: number,
    end: number,
    module: ModuleReference,
  ): unknown {
    let value = check(this.value, "arithmetic", start, end, module) as number;
    const old = operator === "++" ? value++ : value--;
    this.set(value);
    return prefix ? value : old;
  }
}

export function reference(object: unknown, key: unknown): Reference {
  const members = object as Record<PropertyKey, unknown>;
  // An object used as key is converted for reading and again for writing, as the engine does it.
  const name = key as PropertyKey;
  return new Reference(members[name], (value) => {
    members[name] = value;
  });
}

/** A member that only code inside of its class can reach: a private one, or that of a parent. */
export function memberReference(
  object: unknown,
  read: (object: unknown) => unknown,
  write: (object: unknown, value: unknown) => void,
): Reference {
  return new Reference(read(object), (value) => {
    write(object, value);
  });
}

/** Gives the last of its arguments: a sequence that does not begin with a parenthesis. */
export function last(...values: readonly unknown[]): unknown {
  return values.at(-1);
}

/** Gives the first of its arguments, after the others have been evaluated. */
export function first(value: unknown): unknown {
  return value;
}

function calculate(operator: NumericOperator, left: number, right: number): number {
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
