import { decodeText, encodeText, type ByteText } from "./byte-text.ts";
import { EvaluationError, raise } from "./evaluation-error.ts";
import { nearestName } from "./nearest-name.ts";
import { isIterable } from "./operations/iterate.ts";
import { typeName } from "./operations/type-name.ts";
import { StarlarkCallable, type KeywordArguments } from "./values/callable.ts";
import { isInt } from "./values/int.ts";
import type { Value } from "./values/value.ts";

/** Takes an argument as what a builtin wants, or fails with "got …, want …". */
export type Convert<T> = (value: Value) => T;

export const anyValue: Convert<Value> = (value) => value;

/** A string as JavaScript text. */
export const text: Convert<string> = (value) => decodeText(byteString(value));

/** A string as the bytes it is. */
export const byteString: Convert<ByteText> = (value) =>
  typeof value === "string" ? value : mismatch(value, "string");

export const bool: Convert<boolean> = (value) =>
  typeof value === "boolean" ? value : mismatch(value, "bool");

export const callable: Convert<StarlarkCallable> = (value) =>
  value instanceof StarlarkCallable ? value : mismatch(value, "callable");

/** Any value that a loop could run over. */
export const iterable: Convert<Value> = (value) => {
  if (!isIterable(value)) mismatch(value, "iterable");
  return value;
};

/** An int of at most 64 bits; what is beyond the exact numbers of JavaScript is brought near. */
export const int: Convert<number> = (value) => {
  if (!isInt(value)) mismatch(value, "int");
  if (value < -(2n ** 63n) || value >= 2n ** 63n) {
    raise(`${value} out of range (want value in signed 64-bit range)`);
  }
  return Number(value);
};

/** An int that numbers hold exactly. */
export const exactInt: Convert<number> = (value) => {
  const near = int(value);
  if (Number.isSafeInteger(near)) return near;
  raise(`${near} out of range (want value in signed 54-bit range)`);
};

function mismatch(value: Value, wanted: string): never {
  throw new EvaluationError(`got ${typeName(value)}, want ${wanted}`);
}

/** A parameter of a builtin; one that may be left out gives undefined then. */
export interface BuiltinParameter<T> {
  readonly convert: (value: Value) => T;
  readonly isOptional: boolean;
  /** Whether None counts as left out. */
  readonly skipsNone: boolean;
}

export function required<T>(convert: Convert<T>): BuiltinParameter<T> {
  return { convert, isOptional: false, skipsNone: false };
}

export function optional<T>(convert: Convert<T>): BuiltinParameter<T | undefined> {
  return { convert, isOptional: true, skipsNone: false };
}

export function optionalOrNone<T>(convert: Convert<T>): BuiltinParameter<T | undefined> {
  return { convert, isOptional: true, skipsNone: true };
}

export type BuiltinParameters = Readonly<Record<string, BuiltinParameter<unknown>>>;

export type UnpackedArguments<P extends BuiltinParameters> = {
  readonly [Name in keyof P]: P[Name] extends BuiltinParameter<infer T> ? T : never;
};

/** Matches the arguments of a call with named parameters, in the words of Starlark's own errors. */
export function unpackArguments<P extends BuiltinParameters>(
  builtin: string,
  args: readonly Value[],
  keywords: KeywordArguments,
  parameters: P,
): UnpackedArguments<P> {
  const names = Object.keys(parameters);
  const prefix = encodeText(builtin);
  if (args.length > names.length) {
    raise(`${prefix}: got ${args.length} arguments, want at most ${names.length}`);
  }
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  const take = (name: string, value: Value, shown: string): void => {
    given.add(name);
    const parameter = parameters[name];
    if (parameter === undefined || (parameter.skipsNone && value === null)) return;
    values[name] = convertAs(`${builtin}: for parameter ${shown}`, value, parameter.convert);
  };
  for (const [index, value] of args.entries()) {
    const name = names[index] ?? "";
    take(name, value, name);
  }
  for (const keyword of keywords) {
    const name = decodeText(keyword.name);
    if (!names.includes(name)) {
      const nearest = nearestName(name, names);
      const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
      raise(`${prefix}: unexpected keyword argument "${keyword.name}"${hint}`);
    }
    if (given.has(name)) {
      raise(`${prefix}: got multiple values for keyword argument "${keyword.name}"`);
    }
    take(name, keyword.value, `"${name}"`);
  }
  for (const name of names) {
    if (parameters[name]?.isOptional === true) break;
    if (!given.has(name)) raise(`${prefix}: missing argument for ${name}`);
  }
  return values as UnpackedArguments<P>;
}

type Converted<T extends readonly Convert<unknown>[]> = {
  readonly [Index in keyof T]: T[Index] extends Convert<infer Result> ? Result : never;
};

/** The same for parameters that have no names; those of `more` may be left out. */
export function unpackPositional<
  const R extends readonly Convert<unknown>[],
  const O extends readonly Convert<unknown>[] = readonly [],
>(
  builtin: string,
  args: readonly Value[],
  keywords: KeywordArguments,
  wanted: R,
  more?: O,
): readonly [...Converted<R>, ...Partial<Converted<O>>] {
  const converts: readonly Convert<unknown>[] = [...wanted, ...(more ?? [])];
  checkCount(builtin, args, keywords, wanted.length, converts.length);
  const values = args.map((value, index) =>
    convertAs(`${builtin}: for parameter ${index + 1}`, value, converts[index] ?? anyValue),
  );
  return values as unknown as readonly [...Converted<R>, ...Partial<Converted<O>>];
}

function checkCount(
  builtin: string,
  args: readonly Value[],
  keywords: KeywordArguments,
  least: number,
  most: number,
): void {
  const { length } = args;
  if (keywords.length > 0) raise(`${builtin}: unexpected keyword arguments`);
  if (length < least) {
    raise(`${builtin}: got ${length} arguments, want ${least < most ? "at least " : ""}${least}`);
  }
  if (length > most) {
    raise(`${builtin}: got ${length} arguments, want ${least < most ? "at most " : ""}${most}`);
  }
}

function convertAs<T>(place: string, value: Value, convert: Convert<T>): T {
  try {
    return convert(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new EvaluationError(`${place}: ${error.message}`, { cause: error.cause });
  }
}
