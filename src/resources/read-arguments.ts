import { durationMs } from "../objects/index.ts";
import { nearest } from "../diagnostics/index.ts";
import type { ResourceOptions } from "./resource-options.ts";
import { recordOf } from "./resource-record.ts";
import { idProblem } from "./resource-name.ts";

export interface ResourceArguments {
  readonly explicitId?: string | undefined;
  readonly props: Readonly<Record<string, unknown>>;
  readonly options: ResourceOptions;
  /** What is wrong with them, each a sentence's end after "The arguments …:". */
  readonly problems: readonly string[];
}

/** Reads `(props, options?)` and `(id, props, options?)`. */
export function readArguments(args: readonly unknown[]): ResourceArguments {
  const hasId = typeof args[0] === "string" || (args[0] === undefined && args.length > 1);
  const [id, rawProps, rawOptions] = hasId ? args : [undefined, ...args];
  const problems: string[] = [];
  const explicitId = typeof id === "string" ? id : undefined;
  const wrongId = explicitId === undefined ? undefined : idProblem(explicitId);
  if (wrongId !== undefined)
    problems.push(`the id ${JSON.stringify(id)} is not usable: ${wrongId}`);
  const all = asRecord(rawProps, "the properties", problems);
  const { props, moved } = splitProperties(all);
  const options: Record<string, unknown> = {};
  const given = { ...moved, ...asRecord(rawOptions, "the options", problems) };
  for (const [key, value] of Object.entries(given)) {
    const problem = optionProblem(key, value);
    if (problem === undefined) options[key] = value;
    else problems.push(problem);
  }
  return { explicitId, props, options, problems };
}

function asRecord(value: unknown, what: string, problems: string[]): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  problems.push(`${what} must be an object, not ${Array.isArray(value) ? "a list" : typeof value}`);
  return {};
}

/** `deletionPolicy` and `naming` may stand among the properties; the options win. */
function splitProperties(all: Readonly<Record<string, unknown>>): {
  readonly props: Readonly<Record<string, unknown>>;
  readonly moved: Readonly<Record<string, unknown>>;
} {
  const isOption = (key: string): boolean =>
    (key === "deletionPolicy" && isDeletionPolicy(all[key])) ||
    (key === "naming" && isNaming(all[key]));
  const keys = Object.keys(all).filter(isOption);
  if (keys.length === 0) return { props: all, moved: {} };
  const entries = Object.entries(all);
  return {
    props: Object.fromEntries(entries.filter(([key]) => !keys.includes(key))),
    moved: Object.fromEntries(entries.filter(([key]) => keys.includes(key))),
  };
}

type Check = readonly [is: (value: unknown) => boolean, expected: string];

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isDeletionPolicy = (value: unknown): boolean => value === "delete" || value === "retain";
const isNaming = (value: unknown): boolean =>
  value === "fixed" || value === "contentsHash" || value === "random";
const isDuration = (value: unknown): boolean =>
  typeof value === "string" && durationMs(value) !== undefined;

const optionChecks: Readonly<Record<keyof ResourceOptions, Check>> = {
  dependsOn: [isResources, "a resource or a list of resources"],
  protect: [isFlag, "true or false"],
  deletionPolicy: [isDeletionPolicy, '"delete" or "retain"'],
  ignoreChanges: [isTextList, "a list of property paths"],
  replaceOnChanges: [isTextList, "a list of property paths"],
  deleteBeforeReplace: [isFlag, "true or false"],
  aliases: [isTextList, "a list of names"],
  timeouts: [isTimeouts, 'durations such as { create: "30s", update: "5m", delete: "1h" }'],
  secret: [isTextList, "a list of property paths"],
  naming: [isNaming, '"fixed", "contentsHash" or "random"'],
};

function isResources(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.every((each) => recordOf(each) !== undefined);
}

function isTimeouts(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(
    ([key, duration]) =>
      ["create", "update", "delete"].includes(key) &&
      (duration === undefined || isDuration(duration)),
  );
}

function optionProblem(key: string, value: unknown): string | undefined {
  if (!Object.hasOwn(optionChecks, key)) {
    const meant = nearest(key, Object.keys(optionChecks));
    return `there is no option "${key}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
  }
  const [is, expected] = optionChecks[key as keyof ResourceOptions];
  return value === undefined || is(value) ? undefined : `the option "${key}" must be ${expected}`;
}
