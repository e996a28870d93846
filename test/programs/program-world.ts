import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DiagnosticError, renderDiagnostic } from "../../src/diagnostics/index.ts";
import type { Diagnostic } from "../../src/diagnostics/index.ts";
import { isDeferredValue } from "../../src/resources/index.ts";
import type { DeferredJson, DeferredValue, ProgramGraph } from "../../src/resources/index.ts";
import { evaluateProgram } from "../../src/sources/program/index.ts";
import type { EvaluateOptions, Evaluation } from "../../src/sources/program/index.ts";

/** The files of a project by their path; a text alone is its main.ts. */
export type ProgramFiles = string | Readonly<Record<string, string>>;

export interface EvaluatedText {
  readonly evaluation: Evaluation;
  /** What it has printed so far. */
  readonly printed: () => string;
}

/** Evaluates a project that exists for the duration of `use` only. */
export async function withProgram<T>(
  files: ProgramFiles,
  options: Partial<EvaluateOptions>,
  use: (evaluated: EvaluatedText) => T | Promise<T>,
): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "keelson-program-")));
  try {
    const all = typeof files === "string" ? { "main.ts": files } : files;
    const named = "keelson.json" in all || "package.json" in all ? all : { ...project, ...all };
    for (const [path, text] of Object.entries(named)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    let printed = "";
    const evaluation = await evaluateProgram({
      workingFolder: folder,
      print: (text) => (printed += text),
      ...options,
      path: join(folder, options.path ?? "."),
    });
    try {
      return await use({ evaluation, printed: () => printed });
    } finally {
      await evaluation.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const project = { "keelson.json": '{ "project": "shop" }' };

/** Evaluates a program and writes its graph, or what is wrong with it, as text. */
export async function programText(
  files: ProgramFiles,
  options: Partial<EvaluateOptions> = {},
): Promise<string> {
  try {
    return await withProgram(files, options, ({ evaluation: { graph, diagnostics } }) =>
      diagnostics.some(({ severity }) => severity === "error")
        ? diagnosticsText(diagnostics)
        : [graphText(graph), diagnosticsText(graph.notes)].filter((text) => text !== "").join("\n"),
    );
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return diagnosticsText(error.diagnostics);
  }
}

/** The names alone, each on a line. */
export async function programNames(
  files: ProgramFiles,
  options: Partial<EvaluateOptions> = {},
): Promise<readonly string[]> {
  return withProgram(files, options, ({ evaluation: { graph, diagnostics } }) =>
    diagnostics.length > 0
      ? [diagnosticsText(diagnostics)]
      : graph.resources.map(({ name }) => name),
  );
}

function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((each) => withoutFolder(renderDiagnostic(each))).join("\n");
}

/** Leaves out the project's folder, which has another name in each run. */
function withoutFolder(text: string): string {
  return text
    .replaceAll(join(realpathSync(tmpdir()), "keelson-program-"), "keelson-program-")
    .replaceAll(/keelson-program-\w+\/?/g, "");
}

/** One block for each resource: name, inputs as far as they are known, edges. */
export function graphText(graph: ProgramGraph): string {
  return graph.resources
    .map(({ name, kind, inputs, edges }) =>
      [
        `${name} (${kind})`,
        `  ${inputsText(inputs)}`,
        ...edges.map(({ to, reason }) => `  → ${to}: ${reason}`),
      ].join("\n"),
    )
    .join("\n");
}

/** `<Bucket#logs.arn>`, or the text around it. */
function deferredText({ text, from }: DeferredValue): string {
  const origins = from.map(({ resource, path }) =>
    [resource.slice(resource.lastIndexOf("/") + 1), ...path].join("."),
  );
  return text === "(known after apply)" ? origins.join(", ") : `${text} of ${origins.join(", ")}`;
}

function inputsText(value: DeferredJson): string {
  if (isDeferredValue(value)) return `<${deferredText(value)}>`;
  if (Array.isArray(value)) return `[${value.map(inputsText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Readonly<Record<string, DeferredJson>>);
  return `{${entries.map(([key, inner]) => `${key}: ${inputsText(inner)}`).join(", ")}}`;
}

/** The edges of a program, each by the ids of its two resources. */
export async function shortEdges(files: ProgramFiles): Promise<readonly string[]> {
  return withProgram(files, {}, ({ evaluation: { graph, diagnostics } }) => {
    const short = (name: string): string => name.split(/[#/]/).at(-1) ?? "";
    const edges = graph.resources.flatMap(({ name, edges }) =>
      edges.map(({ to, reason }) => `${short(name)} → ${short(to)}: ${reason}`),
    );
    return [...edges, ...(diagnostics.length === 0 ? [] : [diagnosticsText(diagnostics)])];
  });
}
