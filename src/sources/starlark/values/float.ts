import { formatShortest } from "../format-float.ts";
import type { UnaryOperator } from "../syntax/syntax-tree.ts";
import { intOf } from "./int.ts";
import { StarlarkObject, type HashKey, type Value } from "./value.ts";

/** A floating-point number; a class of its own, as `1` and `1.0` are different values. */
export class StarlarkFloat extends StarlarkObject {
  readonly typeName = "float";
  readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }

  show(): string {
    return formatShortest(this.number, "g");
  }

  override get isTruthy(): boolean {
    return this.number !== 0;
  }

  /** A whole float is the same key as the int that equals it. */
  override hashKey(): HashKey {
    if (Number.isSafeInteger(this.number) || !Number.isInteger(this.number)) return this.number;
    return intOf(BigInt(this.number));
  }

  override unary(operator: UnaryOperator): Value | undefined {
    if (operator === "-") return new StarlarkFloat(-this.number);
    return operator === "+" ? this : undefined;
  }
}
