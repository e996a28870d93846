import { isAtLeast, logLevel } from "../../../events/index.ts";
import type { CliContext } from "../../context.ts";
import type { LogsFlags } from "./logs.ts";

const widestPrefix = 40;

/** Prints lines that are important enough, each with where it is from when there are several. */
export class LogPrinter {
  readonly #context: CliContext;
  readonly #flags: LogsFlags;
  readonly #hasPrefix: boolean;

  constructor(context: CliContext, flags: LogsFlags, hasPrefix: boolean) {
    this.#context = context;
    this.#flags = flags;
    this.#hasPrefix = hasPrefix;
  }

  print(from: string, message: string, timestamp?: string): void {
    const level = logLevel(message);
    if (!isAtLeast(level, this.#flags.level ?? "debug")) return;
    const { stdout } = this.#context.process;
    if (this.#flags.json || this.#flags.output === "json") {
      const event = { ...(timestamp === undefined ? {} : { timestamp }), type: "log" };
      stdout.write(`${JSON.stringify({ ...event, resource: from, level, message })}\n`);
      return;
    }
    const { dim, log } = this.#context.style.stdout;
    stdout.write(
      `${this.#hasPrefix ? `${dim(`${from.slice(0, widestPrefix)} │`)} ` : ""}${log(message)}\n`,
    );
  }
}
