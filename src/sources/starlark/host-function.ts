import { unpackArguments, type BuiltinParameters, type UnpackedArguments } from "./arguments.ts";
import { decodeText, type ByteText } from "./byte-text.ts";
import type { CallFrame, Thread } from "./evaluate/thread.ts";
import { decodeJson } from "./modules/json-decode.ts";
import type { Position } from "./syntax/position.ts";
import { formatTraceback } from "./traceback.ts";
import { StarlarkBuiltin, type KeywordArguments } from "./values/callable.ts";
import type { Value } from "./values/value.ts";

/** One call of a builtin that the host provides. */
export class HostCall {
  readonly name: string;
  readonly args: readonly Value[];
  readonly keywords: KeywordArguments;
  readonly #thread: Thread;

  constructor(thread: Thread, name: string, args: readonly Value[], keywords: KeywordArguments) {
    this.#thread = thread;
    this.name = name;
    this.args = args;
    this.keywords = keywords;
  }

  /** Where in the program the call stands. */
  get position(): Position | undefined {
    return this.#thread.position;
  }

  get callStack(): readonly CallFrame[] {
    return this.#thread.callStack();
  }

  /** The arguments by the names of their parameters; fails in the words of Starlark. */
  unpack<const P extends BuiltinParameters>(parameters: P): UnpackedArguments<P> {
    return unpackArguments(this.name, this.args, this.keywords, parameters);
  }

  /** Calls a function that came as an argument; what fails inside goes through to the program. */
  invoke(callee: Value, args: readonly Value[], keywords?: KeywordArguments): Value {
    return this.#thread.call(callee, [...args], keywords);
  }

  /** Loads a module as the statement would; its globals by name. */
  load(module: string): ReadonlyMap<string, Value> {
    const globals = this.#thread.host.load(module, this.#thread);
    return new Map([...globals].map(([name, value]) => [decodeText(name), value]));
  }

  /** Counts steps of work that the host does on behalf of the program. */
  step(count: number): void {
    this.#thread.meter.step(count);
  }

  /** Takes note of memory that a value made by the host takes. */
  allocate(bytes: number): void {
    this.#thread.meter.allocate(bytes);
  }

  /** Reads JSON as the function of the language does. */
  decodeJson(json: ByteText): ReturnType<typeof decodeJson> {
    return decodeJson(this.#thread.meter, json);
  }

  /** The calls that led here and a message, as Starlark prints them. */
  traceback(message: string): string {
    return formatTraceback(this.callStack, message);
  }
}

/** Makes a builtin; whatever it throws becomes an error of the program at the place of the call. */
export function hostFunction(name: string, run: (call: HostCall) => Value): StarlarkBuiltin {
  return new StarlarkBuiltin(name, (thread, args, keywords) =>
    run(new HostCall(thread, name, args, keywords)),
  );
}
