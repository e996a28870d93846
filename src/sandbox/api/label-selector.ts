import type { KubernetesObject } from "../../objects/index.ts";
import { badRequest } from "./status.ts";

type Operator = "=" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type LabelSelector = readonly SelectorRequirement[];

const token = /\s*(!=|==|=|!|,|\(|\)|<|>|[^\s!=,()<>]+)/y;
const keyPattern =
  /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?$/;

/** Parses `a=b,c in (d, e),!f`, as the `labelSelector` parameter has it. */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = tokenize(text);
  const requirements: SelectorRequirement[] = [];
  let position = 0;
  const peek = (): string | undefined => tokens[position];
  const take = (): string | undefined => tokens[position++];

  while (peek() !== undefined) {
    requirements.push(parseRequirement(take, peek, text));
    const separator = take();
    if (separator === undefined) break;
    if (separator !== ",")
      throw unparsable(text, `found '${separator}', expected: ',' or end of string`);
    if (peek() === undefined) throw unparsable(text, "found '', expected: identifier after ','");
  }
  return requirements;
}

/** Whether the labels of an object meet every requirement. */
export function matchesLabels(
  selector: LabelSelector,
  labels: KubernetesObject["metadata"]["labels"] = {},
): boolean {
  return selector.every((requirement) => matchesRequirement(requirement, labels));
}

function parseRequirement(
  take: () => string | undefined,
  peek: () => string | undefined,
  text: string,
): SelectorRequirement {
  const first = take() ?? "";
  if (first === "!") return { key: checkKey(take() ?? "", text), operator: "!", values: [] };
  const key = checkKey(first, text);
  const next = peek();
  if (next === undefined || next === ",") return { key, operator: "exists", values: [] };
  const operator = take() ?? "";
  if (operator === "in" || operator === "notin") {
    return { key, operator, values: parseValues(take, text) };
  }
  if (!["=", "==", "!=", ">", "<"].includes(operator)) {
    throw unparsable(text, `found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  const value = peek() === "," || peek() === undefined ? "" : (take() ?? "");
  if ((operator === ">" || operator === "<") && !/^-?\d+$/.test(value)) {
    throw unparsable(
      text,
      `values[0][${key}]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  const normal = operator === "==" ? "=" : (operator as Operator);
  return { key, operator: normal, values: [checkValue(value, text)] };
}

function parseValues(take: () => string | undefined, text: string): readonly string[] {
  if (take() !== "(") throw unparsable(text, "expected: '('");
  const values: string[] = [];
  let value = "";
  for (let next = take(); next !== ")"; next = take()) {
    if (next === undefined) throw unparsable(text, "found '', expected: ',' or ')'");
    if (next === ",") {
      values.push(checkValue(value, text));
      value = "";
    } else {
      value = next;
    }
  }
  values.push(checkValue(value, text));
  return values;
}

function matchesRequirement(
  { key, operator, values }: SelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0]);
    case "<":
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0]);
  }
}

function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match?.[1] === undefined) {
      if (text.slice(start).trim() === "") break;
      throw unparsable(text, `unexpected character at ${start}`);
    }
    tokens.push(match[1]);
  }
  return tokens;
}

function checkKey(key: string, text: string): string {
  if (!keyPattern.test(key))
    throw unparsable(text, `found '${key}', expected: !, identifier, or 'end of string'`);
  return key;
}

function checkValue(value: string, text: string): string {
  if (!valuePattern.test(value)) throw unparsable(text, `Invalid value: "${value}"`);
  return value;
}

function unparsable(text: string, why: string): Error {
  return badRequest(`unable to parse requirement: ${why} (in "${text}")`);
}
