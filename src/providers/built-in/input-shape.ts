import { nearest } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import { kindInWords } from "../run/json-problem.ts";

/** What an input must be; undefined when a value is fine, else what was expected. */
export type InputRule = (value: JsonValue) => string | undefined;

export interface InputShape {
  readonly [name: string]: { readonly rule: InputRule; readonly isRequired?: boolean };
}

export const anyInput: InputRule = () => undefined;
export const textInput: InputRule = (value) => (typeof value === "string" ? undefined : "a text");
export const filledText: InputRule = (value) =>
  typeof value === "string" && value !== "" ? undefined : "a text that is not empty";
export const truth: InputRule = (value) =>
  typeof value === "boolean" ? undefined : "true or false";
export const textsInput: InputRule = (value) =>
  isJsonObject(value) && Object.values(value).every((each) => typeof each === "string")
    ? undefined
    : "an object of texts";
export const command: InputRule = (value) => {
  const isList =
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  return isList || (typeof value === "string" && value.trim() !== "")
    ? undefined
    : "a line for the shell, or a list of the program and its arguments";
};

export function wholeNumber(least: number, most: number): InputRule {
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `a whole number from ${least} to ${most}`;
}

/** A text among inputs that have been checked; empty when it is left out. */
export function inputText(inputs: JsonObject, name: string): string {
  const value = inputs[name];
  return typeof value === "string" ? value : "";
}

/** Everything that is wrong with inputs, in words. */
export function inputProblems(shape: InputShape, inputs: JsonObject): readonly string[] {
  const names = Object.keys(shape);
  const problems: string[] = [];
  for (const [name, { rule, isRequired = false }] of Object.entries(shape)) {
    const value = inputs[name];
    if (value === undefined || value === null) {
      if (isRequired) problems.push(`${name} is missing`);
      continue;
    }
    const expected = rule(value);
    if (expected !== undefined) problems.push(`${name} is ${found(value)}, not ${expected}`);
  }
  for (const name of Object.keys(inputs)) {
    if (names.includes(name)) continue;
    const meant = nearest(name, names);
    const hint = meant === undefined ? `it has ${names.join(", ")}` : `did you mean ${meant}?`;
    problems.push(`${name} is not one of its inputs; ${hint}`);
  }
  return problems;
}

function found(value: JsonValue): string {
  if (value === "") return "empty";
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : kindInWords(value);
}
