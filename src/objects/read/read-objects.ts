import type { Diagnostic } from "../../diagnostics/index.ts";
import { decodeInput } from "./decode-text.ts";
import { findFiles } from "./find-files.ts";
import { type ReadBytes, readFileBytes, readStreamBytes } from "./read-bytes.ts";
import { defaultReadLimits, formatBytes, type ReadLimits } from "./read-limits.ts";
import { readText, readTextInTurns } from "./read-text.ts";
import { SourceText } from "./source-text.ts";
import type { SourcedObject } from "./sourced-object.ts";
import { tellUnrendered } from "./unrendered.ts";
import { countSeparators } from "../yaml/parse-events.ts";

/** A path of a file or directory, `-` for the standard input, or text with a name for messages. */
export type ObjectInput = string | { readonly name: string; readonly text: string };

export interface ReadObjects {
  /** All objects in the order of the inputs; empty if there is any error that stops reading. */
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** All that is wrong is wrong with single documents, or files that are no text, and the rest was asked for in spite of it. */
  readonly isRest?: boolean | undefined;
}

export interface ReadObjectsOptions {
  /** What `-` reads. */
  readonly stdin?: AsyncIterable<unknown>;
  readonly limits?: Partial<ReadLimits>;
  /**
   * Whether what is wrong with single documents, and what is no text, is left out, and the rest is passed on:
   * objects with invalid metadata without it. The errors name them as far as they can be read.
   */
  readonly keepsInvalid?: boolean | undefined;
  /** Why a file is not read, if so. */
  readonly refuse?: ((file: string) => Diagnostic | undefined) | undefined;
  /** Told each text before it is parsed, for those who can begin something by a glance at it. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** Reads objects from anywhere. All errors of all inputs are reported; with any, nothing is passed on. */
export async function readObjects(
  inputs: readonly ObjectInput[],
  options: ReadObjectsOptions = {},
): Promise<ReadObjects> {
  const limits = { ...defaultReadLimits, ...options.limits };
  const objects: SourcedObject[] = [];
  const invalid: SourcedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  let errorsOfDocuments = 0;
  let bytesLeft = limits.mostBytes;
  let valuesLeft = limits.mostValues;
  for (const input of inputs) {
    for await (const text of openInput(input, options, limits, diagnostics)) {
      bytesLeft -= text.text.length;
      if (bytesLeft < 0) {
        diagnostics.push(tooMuch(text.file, limits.mostBytes));
        return { objects: [], diagnostics };
      }
      valuesLeft -= countSeparators(text.text);
      if (valuesLeft < 0) {
        diagnostics.push(tooMany(text.file, limits.mostValues));
        return { objects: [], diagnostics };
      }
      options.onText?.(text.text);
      const read = await readTextInTurns(text);
      valuesLeft -= read.aliasedValues;
      diagnostics.push(...read.diagnostics);
      if (!read.isCut) errorsOfDocuments += read.diagnostics.length;
      for (const object of read.objects) objects.push(object);
      invalid.push(...read.invalid);
      if (read.objects.length + read.diagnostics.length === 0 && input === "-") {
        diagnostics.push(emptyInput());
      }
    }
  }
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && code !== "objects.not-text",
  );
  return tellUnrendered(
    options.keepsInvalid === true && errors.length === errorsOfDocuments
      ? { objects: [...objects, ...invalid], diagnostics, isRest: true }
      : passOn(objects, diagnostics),
  );
}

/** Reads objects out of a text that is at hand, without touching the disk. */
export function readObjectsFromText(name: string, text: string): ReadObjects {
  const { mostBytesOfFile, mostValues } = defaultReadLimits;
  if (text.length > mostBytesOfFile)
    return { objects: [], diagnostics: [tooMuch(name, mostBytesOfFile)] };
  if (countSeparators(text) > mostValues)
    return { objects: [], diagnostics: [tooMany(name, mostValues)] };
  const read = readText(new SourceText(name, withoutByteOrderMark(text)));
  return passOn(read.objects, read.diagnostics);
}

function passOn(
  objects: readonly SourcedObject[],
  diagnostics: readonly Diagnostic[],
): ReadObjects {
  const failed = diagnostics.some(({ severity }) => severity === "error");
  return { objects: failed ? [] : objects, diagnostics };
}

async function* openInput(
  input: ObjectInput,
  options: ReadObjectsOptions,
  limits: ReadLimits,
  diagnostics: Diagnostic[],
): AsyncGenerator<SourceText> {
  if (typeof input !== "string") {
    yield new SourceText(input.name, withoutByteOrderMark(input.text));
    return;
  }
  if (input === "-") {
    const stdin = options.stdin ?? process.stdin;
    const read = await readStreamBytes(stdinName, stdin, limits.mostBytesOfFile);
    yield* decoded(stdinName, read, diagnostics);
    return;
  }
  const found = await findFiles(input, limits.mostFiles);
  diagnostics.push(...found.diagnostics);
  for (const file of found.files) {
    const refusal = options.refuse?.(file);
    if (refusal !== undefined) {
      diagnostics.push(refusal);
      continue;
    }
    yield* decoded(file, await readFileBytes(file, limits.mostBytesOfFile), diagnostics);
  }
}

const stdinName = "<stdin>";

function* decoded(name: string, read: ReadBytes, diagnostics: Diagnostic[]): Generator<SourceText> {
  if (read.kind === "problem") {
    diagnostics.push(read.diagnostic);
    return;
  }
  const text = decodeInput(name, read.bytes);
  if (text.kind === "problem") diagnostics.push(text.diagnostic);
  else yield new SourceText(name, withoutByteOrderMark(text.text));
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function emptyInput(): Diagnostic {
  return {
    code: "objects.input-empty",
    severity: "error",
    summary: "the standard input holds no object",
    hint: "Pipe YAML or JSON into the command, or name a file instead of `-`.",
  };
}

function tooMany(file: string, most: number): Diagnostic {
  return {
    code: "objects.input-too-large",
    severity: "error",
    summary: `the inputs together have more than ${most} values; reading stopped at ${file}`,
    hint: "Name the files that are meant.",
  };
}

function tooMuch(file: string, most: number): Diagnostic {
  return {
    code: "objects.input-too-large",
    severity: "error",
    summary: `the inputs together are larger than ${formatBytes(most)}; reading stopped at ${file}`,
    hint: "Name the files that are meant.",
  };
}
