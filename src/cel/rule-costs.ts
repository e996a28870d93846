import type { FieldError } from "../schema/index.ts";
import { bounded } from "./call-cost.ts";

/** What one rule may cost, and what all rules of a schema may cost together. */
const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;
/** Of those that cost at least a hundredth, so many are named. */
const mostNamed = 4;

/** Adds up what the rules of one schema can cost, and refuses those that can cost too much. */
export class RuleCosts {
  readonly #isUnchanged: boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** The rules of a schema that is stored already are let be, one by one. */
  constructor(isUnchanged: boolean) {
    this.#isUnchanged = isUnchanged;
  }

  observe(
    path: string,
    subject: "rule" | "messageExpression",
    cost: number,
  ): readonly FieldError[] {
    this.#total = bounded(this.#total + cost);
    if (cost >= schemaLimit / 100) {
      this.#expensive.push({ path, cost });
      this.#expensive.sort((left, right) => right.cost - left.cost);
      this.#expensive = this.#expensive.slice(0, mostNamed);
    }
    if (this.#isUnchanged || cost <= ruleLimit) return [];
    return [forbidden(path, excess(`estimated ${subject} cost`, cost / ruleLimit))];
  }

  totalErrors(path: string): readonly FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const contributed =
      "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const subject =
      "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#expensive.map((each) => forbidden(each.path, contributed)),
      forbidden(path, excess(subject, this.#total / schemaLimit)),
    ];
  }
}

function excess(subject: string, factor: number): string {
  const shown =
    factor > 100 ? "more than 100x" : `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
  return `${subject} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail: `Forbidden: ${detail}` };
}
