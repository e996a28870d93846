import { ownField } from "../json/index.ts";

/** What a selector asks of one label, or of one field of a node. */
export interface SelectorExpression<Value = string> {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly Value[];
}

/** Whether labels, or fields, are what an expression asks for; nothing meets an operator that is not known. */
export function meetsExpression(
  { key, operator, values = [] }: SelectorExpression<unknown>,
  from: Readonly<Record<string, unknown>>,
): boolean {
  const value = ownField(from, key);
  const isAmong = value !== undefined && values.includes(value);
  switch (operator) {
    case "In":
      return isAmong;
    case "NotIn":
      return !isAmong;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
