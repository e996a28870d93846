/** Any ordinary program does the same things in the same order when it is rewritten. */
import { inspect } from "node:util";
import { assert, property } from "fast-check";
import { expect, it } from "vitest";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import {
  installRuntime,
  makeProvisioned,
  takeRejections,
} from "../../src/resources/provisioned/index.ts";
import { instrument } from "../../src/sources/program/instrument/index.ts";
import { anyProgram } from "./any-program.ts";

const mostSteps = 500;

it("does the same in the same order", () => {
  installRuntime();
  makeProvisioned({ resource: { name: "any", label: "any" }, path: [] });
  assert(
    property(anyProgram, (source) => {
      const plain = traceOf(source);
      const code = rewritten(source);
      if (code === undefined) expect(plain).toEqual([expect.stringMatching(/^SyntaxError: /)]);
      else expect(traceOf(code)).toEqual(plain);
    }),
    { numRuns: 500 },
  );
  expect(takeRejections()).toEqual([]);
});

/** The rewritten program; undefined where it is refused as none. */
function rewritten(source: string): string | undefined {
  try {
    return instrument(source, "any.js", "any:any", { format: "commonjs" }).code;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return undefined;
  }
}

/** What a program logs, and how it ends. */
function traceOf(code: string): readonly string[] {
  const trace: string[] = [];
  const log = (...values: readonly unknown[]): unknown => {
    trace.push(inspect(values.map(comparable), { depth: 3 }));
    if (trace.length > mostSteps) throw new RangeError("too long");
    return values[0];
  };
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the program is a text
    new Function("log", code)(log);
  } catch (error) {
    trace.push(error instanceof Error ? messageOf(error) : inspect(comparable(error)));
  }
  return trace;
}

/** The engine names the expression that is at fault in words of its own. */
function messageOf({ name, message }: Error): string {
  const said = message
    .replace(/^[^]* is not (a function|a constructor|iterable)[^]*$/, "cannot be used")
    .replace(/ of '[^]*' as it is /, " as it is ")
    .replace(/'(?:function|class|async) [^]*$/, "a function");
  return `${name}: ${said}`;
}

/** The text of a function is not the same, and nobody should look at it. */
function comparable(value: unknown): unknown {
  return typeof value === "function" ? `function ${value.name} of ${value.length}` : value;
}
