import { DepthError, raise } from "../evaluation-error.ts";
import type { Meter } from "../limits.ts";
import { typeName } from "../operations/type-name.ts";
import type { Position } from "../syntax/position.ts";
import {
  StarlarkBuiltin,
  StarlarkFunction,
  noKeywords,
  type BuiltinCode,
  type KeywordArguments,
} from "../values/callable.ts";
import type { Value } from "../values/value.ts";
import { bindArguments } from "./bind-arguments.ts";
import { Frame, type Slot } from "./frame.ts";

/** One line of a traceback; a builtin has no position. */
export interface CallFrame {
  readonly name: string;
  readonly position: Position | undefined;
}

/** What a thread needs from the interpreter around it. */
export interface ThreadHost {
  readonly print: (text: string, position: Position | undefined) => void;
  readonly load: (module: string, thread: Thread) => ReadonlyMap<string, Value>;
}

const noSlots: Slot[] = [];

/**
 * The calls of one file's execution. Frames are only removed when a call succeeds, so that after a
 * failure the stack still shows where it happened; whoever catches one restores the depth.
 */
export class Thread {
  readonly meter: Meter;
  readonly host: ThreadHost;
  readonly stack: Frame[] = [];
  readonly #outerDepth: number;

  constructor(meter: Meter, host: ThreadHost, outerDepth: number) {
    this.meter = meter;
    this.host = host;
    this.#outerDepth = outerDepth;
  }

  get depth(): number {
    return this.#outerDepth + this.stack.length;
  }

  callStack(): readonly CallFrame[] {
    return this.stack.map(({ callee, position }) => ({
      name: callee?.name ?? "<toplevel>",
      position,
    }));
  }

  /** The place in a file that the program has reached. */
  get position(): Position | undefined {
    return this.stack.findLast(({ position }) => position !== undefined)?.position;
  }

  call(callee: Value, args: Value[], keywords: KeywordArguments = noKeywords): Value {
    if (callee instanceof StarlarkFunction) return this.#callFunction(callee, args, keywords);
    if (callee instanceof StarlarkBuiltin) {
      this.push(new Frame(this, callee, undefined, noSlots, []));
      const result = callee.code(
        this,
        args,
        keywords,
        callee.name,
        callee.receiver === undefined ? null : callee.receiver.value,
      );
      this.stack.pop();
      return result;
    }
    raise(`invalid call of non-function (${typeName(callee)})`);
  }

  /** Calls a method without making a bound value of it. */
  callMethod(
    method: StarlarkBuiltin,
    receiver: Value,
    args: Value[],
    keywords: KeywordArguments,
  ): Value {
    const code: BuiltinCode = method.code;
    this.push(new Frame(this, method, undefined, noSlots, []));
    const result = code(this, args, keywords, method.name, receiver);
    this.stack.pop();
    return result;
  }

  push(frame: Frame): void {
    this.meter.step(1);
    if (this.#outerDepth + this.stack.length >= this.meter.limits.callDepth) {
      throw new DepthError(
        `Starlark computation cancelled: too many nested calls (limit ${this.meter.limits.callDepth})`,
      );
    }
    this.stack.push(frame);
  }

  #callFunction(callee: StarlarkFunction, args: Value[], keywords: KeywordArguments): Value {
    const { code } = callee;
    // The array of arguments becomes the slots, unless there is more to bind than that.
    const isPlain = keywords.length === 0 && code.parameterCount === args.length;
    const isSimple = isPlain && !code.scope.hasVarargs && !code.scope.hasKwargs;
    const slots: Slot[] = isSimple && code.scope.keywordOnlyCount === 0 ? args : [];
    const frame = new Frame(this, callee, code.position, slots, callee.freeVariables);
    this.push(frame);
    if (slots !== args) bindArguments(callee, slots, args, keywords);
    const slotCount = code.slotCount();
    while (slots.length < slotCount) slots.push(undefined);
    for (const slot of code.cellSlots) slots[slot] = { value: slots[slot] as Value | undefined };
    const result = code.run(frame);
    this.stack.pop();
    return result;
  }
}
