import { fail } from "../../diagnostics/index.ts";
import { isJsonObject } from "../../json/index.ts";
import {
  type Operation,
  operations,
  optionalOperations,
  requiredOperations,
} from "../operations.ts";
import type { ProviderContext } from "../provider.ts";
import type { Backend } from "./backend.ts";
import { kindInWords } from "./json-problem.ts";

type OperationFunction = (...args: unknown[]) => unknown;

/** A provider in this process: an object with a function for each operation. */
export function moduleBackend(value: unknown, packageName: string, where: string): Backend {
  const problems = operationProblems(value);
  if (problems.length > 0) {
    fail({
      code: "provider.invalid",
      summary: `the provider of the package ${JSON.stringify(packageName)} is not one`,
      detail: [`looked at the default export of ${where}`, ...problems].join("\n"),
      hint: `its default export must be an object with the functions ${requiredOperations.join(", ")}; ${optionalOperations.join(", ")} are optional`,
    });
  }
  const functions = value as Readonly<Partial<Record<Operation, OperationFunction>>>;
  const run = (operation: Operation, args: readonly unknown[], context: ProviderContext): unknown =>
    functions[operation]?.(...structuredClone(args), context);
  return {
    where,
    operations: new Set(operations.filter((name) => functions[name] !== undefined)),
    call: async (operation, args, context) => run(operation, args, context),
    stream: async function* (operation, args, context) {
      const items = await run(operation, args, context);
      if (!isIterable(items))
        throw new TypeError(`${operation} gave ${kindInWords(items)}, not lines`);
      yield* items;
    },
    close: async () => {},
  };
}

function operationProblems(value: unknown): readonly string[] {
  if (!isJsonObject(value)) return [`found ${kindInWords(value)}, not an object of operations`];
  const found: Record<string, unknown> = value;
  const missing = requiredOperations.filter((name) => found[name] === undefined);
  const wrong = operations.filter(
    (name) => found[name] !== undefined && typeof found[name] !== "function",
  );
  return [
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...wrong.map((name) => `${name} is ${kindInWords(found[name])}, not a function`),
  ];
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
