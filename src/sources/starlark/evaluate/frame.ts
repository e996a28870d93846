import type { Position } from "../syntax/position.ts";
import type { Cell, StarlarkCallable } from "../values/callable.ts";
import type { Value } from "../values/value.ts";
import type { Thread } from "./thread.ts";

export type Slot = Value | Cell | undefined;

/** A call in progress. The position is moved before each operation that can fail. */
export class Frame {
  /** The calls that this one is part of; functions of another file run in it too. */
  readonly thread: Thread;
  /** Undefined for the top level of a file. */
  readonly callee: StarlarkCallable | undefined;
  /** Undefined for builtins, which have no place in a file. */
  position: Position | undefined;
  readonly slots: Slot[];
  readonly freeVariables: readonly Cell[];
  /** What a return statement left. */
  result: Value = null;

  constructor(
    thread: Thread,
    callee: StarlarkCallable | undefined,
    position: Position | undefined,
    slots: Slot[],
    freeVariables: readonly Cell[],
  ) {
    this.thread = thread;
    this.callee = callee;
    this.position = position;
    this.slots = slots;
    this.freeVariables = freeVariables;
  }
}
