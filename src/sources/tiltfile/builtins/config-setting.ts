import type { Data } from "../../starlark/index.ts";

/** One setting that the Tiltfile lets its user choose. */
export interface ConfigSetting {
  readonly name: string;
  readonly type: "bool" | "object" | "string" | "string_list";
  /** Whether it is what stands without a name on the command line. */
  readonly isPositional: boolean;
  readonly usage: string;
}

export type ConfigValue = Exclude<Data, undefined>;

/** The value of a setting after one more word for it, or why the word does not fit. */
export function addWord(
  setting: ConfigSetting,
  before: ConfigValue | undefined,
  word: string,
): { readonly value: ConfigValue } | { readonly problem: string } {
  if (before !== undefined && setting.type !== "string_list") {
    return { problem: `${setting.name} is given twice` };
  }
  switch (setting.type) {
    case "string":
      return { value: word };
    case "string_list":
      return {
        value: [...(Array.isArray(before) ? (before as readonly ConfigValue[]) : []), word],
      };
    case "bool": {
      const value = bools.get(word.toLowerCase());
      return value === undefined
        ? { problem: `${setting.name} is true or false, not ${JSON.stringify(word)}` }
        : { value };
    }
    case "object":
      try {
        return { value: JSON.parse(word) as ConfigValue };
      } catch {
        return { problem: `${setting.name} is JSON, which ${JSON.stringify(word)} is not` };
      }
  }
}

const bools = new Map([
  ["true", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["0", false],
]);

/** Whether a value of the file fits a setting. */
export function fits({ type }: ConfigSetting, value: ConfigValue): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "string_list":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "object":
      return true;
  }
}
