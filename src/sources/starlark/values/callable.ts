import { encodeText, type ByteText } from "../byte-text.ts";
import type { Position } from "../syntax/position.ts";
import type { FunctionScope } from "../syntax/binding.ts";
import type { Thread } from "../evaluate/thread.ts";
import type { Frame } from "../evaluate/frame.ts";
import { StarlarkObject, type HashKey, type Value } from "./value.ts";

/** A named argument of a call. */
export interface KeywordArgument {
  readonly name: ByteText;
  readonly value: Value;
}

export type KeywordArguments = readonly KeywordArgument[];

export const noKeywords: KeywordArguments = [];

/** What can be called. Two of them are equal only when they are the same. */
export abstract class StarlarkCallable extends StarlarkObject {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override hashKey(): HashKey {
    return this;
  }
}

/** The code of a builtin. `receiver` is the value that a method was taken from, else null. */
export type BuiltinCode = (
  thread: Thread,
  args: readonly Value[],
  keywords: KeywordArguments,
  name: string,
  receiver: Value,
) => Value;

/** A function written in the host's language, or a method bound to its value. */
export class StarlarkBuiltin extends StarlarkCallable {
  readonly typeName = "builtin_function_or_method";
  readonly code: BuiltinCode;
  readonly receiver: { readonly value: Value; readonly type: string } | undefined;

  constructor(
    name: string,
    code: BuiltinCode,
    receiver?: { readonly value: Value; readonly type: string },
  ) {
    super(name);
    this.code = code;
    this.receiver = receiver;
  }

  show(): string {
    const name = encodeText(this.name);
    if (this.receiver === undefined) return `<built-in function ${name}>`;
    return `<built-in method ${name} of ${this.receiver.type} value>`;
  }

  override freeze(): Iterable<Value> {
    return this.receiver === undefined ? [] : [this.receiver.value];
  }

  override contents(): Iterable<Value> {
    return this.freeze();
  }
}

/** A variable that a function shares with the functions inside it. */
export interface Cell {
  value: Value | undefined;
}

/** What a `def` or `lambda` compiles to, once for all its closures. */
export interface FunctionCode {
  readonly scope: FunctionScope;
  readonly parameterCount: number;
  /** Slots for parameters, variables and what comprehensions are building. */
  readonly slotCount: () => number;
  readonly cellSlots: readonly number[];
  readonly run: (frame: Frame) => Value;
  readonly position: Position;
}

/** Marks a keyword-only parameter without default. */
export const mandatory = Symbol("mandatory");

export class StarlarkFunction extends StarlarkCallable {
  readonly typeName = "function";
  readonly code: FunctionCode;
  readonly defaults: readonly (Value | typeof mandatory)[];
  readonly freeVariables: readonly Cell[];

  constructor(
    code: FunctionCode,
    defaults: readonly (Value | typeof mandatory)[],
    freeVariables: readonly Cell[],
  ) {
    super(code.scope.name);
    this.code = code;
    this.defaults = defaults;
    this.freeVariables = freeVariables;
  }

  show(): string {
    return `<function ${encodeText(this.name)}>`;
  }

  /** Where it is defined. */
  get position(): Position {
    return this.code.position;
  }

  override *freeze(): Iterable<Value> {
    for (const value of this.defaults) if (value !== mandatory) yield value;
    for (const { value } of this.freeVariables) if (value !== undefined) yield value;
  }

  override contents(): Iterable<Value> {
    return this.freeze();
  }
}
