import type { Diagnostic, SourceRange } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonValue } from "../../json/index.ts";
import type { FieldPath } from "../yaml/locate-path.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { splitDocuments } from "../yaml/split-documents.ts";
import type { TextProblem } from "../yaml/text-problem.ts";
import {
  asKubernetesObject,
  checkObject,
  identityOfValue,
  jsonTypeName,
  readablePart,
} from "./check-object.ts";
import { flattenList } from "./flatten-list.ts";
import { SourceDocument } from "./source-document.ts";
import type { SourceText } from "./source-text.ts";
import type { SourcedObject } from "./sourced-object.ts";

export interface ReadText {
  readonly objects: readonly SourcedObject[];
  /** What can be read of objects whose metadata is invalid; the diagnostics name each of them. */
  readonly invalid: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many values aliases made. */
  readonly aliasedValues: number;
  /** There is more that was not looked at. */
  readonly isCut: boolean;
}

/** Nobody reads more; a text that is no YAML at all would fill the memory with its problems. */
const mostProblems = 10_000;

/** Reads all objects of one text; after a broken document it goes on with the next. */
export function readText(source: SourceText): ReadText {
  const read = noneRead();
  for (const _document of readDocuments(source, read));
  return read;
}

const documentsInTurn = 10;

/** Like {@link readText}, but lets others have a turn: meanwhile connections open and answers arrive. */
export async function readTextInTurns(source: SourceText): Promise<ReadText> {
  const read = noneRead();
  let count = 0;
  for (const _document of readDocuments(source, read))
    if (++count % documentsInTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  return read;
}

interface Reading extends ReadText {
  readonly objects: SourcedObject[];
  readonly invalid: SourcedObject[];
  readonly diagnostics: Diagnostic[];
  aliasedValues: number;
  isCut: boolean;
}

function noneRead(): Reading {
  return { objects: [], invalid: [], diagnostics: [], aliasedValues: 0, isCut: false };
}

/** What aliases may make of all documents of a text, which is a multiple of what one may have. */
const mostAliasedValues = 4_000_000;

/** Reads one document after the other, and stops after each. */
function* readDocuments(source: SourceText, read: Reading): Generator<undefined> {
  const { diagnostics } = read;
  const json = source.file.endsWith(".json");
  let previousStart = 0;
  for (const span of splitDocuments(source.text)) {
    read.isCut = diagnostics.length >= mostProblems;
    if (read.isCut) break;
    const document = new SourceDocument(source, span, previousStart, json);
    readDocument(document, read);
    if (read.aliasedValues > mostAliasedValues) {
      const message = `the aliases of these documents expand to more than ${mostAliasedValues} values`;
      const problem = { code: "objects.too-many-aliases", offset: 0, message } as const;
      diagnostics.push(toDiagnostic(document, problem));
      read.isCut = true;
      break;
    }
    previousStart = span.start;
    yield;
  }
}

function readDocument(document: SourceDocument, read: Reading): void {
  const { diagnostics } = read;
  const { text, json } = document;
  const parsed = parseDocument(text, { json });
  if (parsed.kind === "problem") {
    document.markBroken();
    diagnostics.push(toDiagnostic(document, parsed.problem));
    return;
  }
  read.aliasedValues += parsed.aliasedValues;
  if (parsed.problems.length > 0) {
    const shown = parsed.problems.slice(0, mostProblems);
    diagnostics.push(...shown.map((problem) => toDiagnostic(document, problem)));
    return;
  }
  for (const [index, value] of parsed.values.entries()) {
    if (value !== null) readValue(value, document, index, read);
  }
}

function readValue(whole: JsonValue, document: SourceDocument, index: number, read: Reading): void {
  const { objects, invalid, diagnostics } = read;
  for (const { value, path } of flattenList(whole)) {
    read.isCut = diagnostics.length >= mostProblems;
    if (read.isCut) return;
    const sourceOf = (field: FieldPath = []) => document.locate(index, [...path, ...field]);
    if (!isJsonObject(value)) {
      const what = path.length === 0 ? "the document" : "an item of the List";
      diagnostics.push({
        code: "objects.not-an-object",
        severity: "error",
        summary: `${what} is ${jsonTypeName(value)}, not a Kubernetes object`,
        hint: "An object is a mapping with apiVersion, kind and metadata.",
        source: sourceOf(),
      });
      continue;
    }
    const problems = checkObject(value);
    const { file } = document.source;
    const readable = problems.length === 0 ? undefined : readablePart(value);
    for (const { code, summary, hint, path: field } of problems) {
      const source = sourceOf(field);
      const quoted = isName(field) ? quotedLine(document, source) : undefined;
      diagnostics.push({
        code,
        severity: "error",
        summary,
        hint: quoted ?? hint,
        object: identityOfValue(value),
        source,
      });
    }
    if (problems.length === 0) objects.push({ object: asKubernetesObject(value), file, sourceOf });
    else if (readable !== undefined) invalid.push({ object: readable, file, sourceOf });
  }
}

/** Names are no secrets, whatever they are the names of. */
function isName([parent, field, ...more]: FieldPath): boolean {
  return parent === "metadata" && (field === "name" || field === "namespace") && more.length === 0;
}

const plainLine = /^\s*(?<key>\w+): +(?<scalar>[-+.\w]+)\s*(?:#.*)?$/;

/** The line with its value in quotes, as it is written: what was read of it may be another notation. */
function quotedLine(
  { source }: SourceDocument,
  { start: { line } }: SourceRange,
): string | undefined {
  const text = source.text.slice(source.lineStart(line - 1), source.lineStart(line)).trimEnd();
  const { key, scalar } = plainLine.exec(text)?.groups ?? {};
  if (key === undefined || scalar === undefined) return undefined;
  return `Put the value in quotes: \`${key}: "${scalar}"\`.`;
}

function toDiagnostic(document: SourceDocument, problem: TextProblem): Diagnostic {
  const { message, quote } = problem;
  const shown = quote === undefined || document.secret ? message : `${message}: ${quote}`;
  return {
    code: problem.code,
    severity: "error",
    summary: `${document.source.file} cannot be read: ${shown}`,
    hint: problem.hint,
    source: document.range(problem.offset, problem.end),
  };
}
