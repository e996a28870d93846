import type { CommandFunctionLoader } from "@stricli/core";
import type { CliContext } from "./context.ts";
import { exitCode, type ExitCode } from "./exit-code.ts";
import { reportFormat } from "./output-flag.ts";
import { diagnosticsOf, report } from "./report.ts";
import { type RunnableCommand, whatRuns } from "./what-runs.ts";

/** What a command does: it returns its exit code, or throws diagnostics. */
export type CommandHandler<Flags, Arguments extends readonly unknown[]> = (
  context: CliContext,
  flags: Flags,
  ...args: Arguments
) => ExitCode | Promise<ExitCode>;

/**
 * Loads a command's code only when it runs, and turns what it throws into a report. What takes time and
 * is needed in any case can be begun `ahead` of the loading.
 */
export function lazily<
  Flags extends Readonly<Partial<Record<keyof Flags, unknown>>>,
  Arguments extends readonly unknown[],
>(
  load: () => Promise<CommandHandler<Flags, Arguments>>,
  ahead?: (context: CliContext, ...args: Arguments) => Promise<void>,
): CommandFunctionLoader<Flags, Arguments, CliContext> {
  return async () =>
    async function run(this: CliContext, flags, ...args) {
      const output = reportFormat((flags as { readonly output?: string }).output);
      const context = this.forCommands ?? this;
      try {
        await ahead?.(context, ...args);
        const handler = await load();
        context.process.exitCode = await handler(context, flags, ...args);
      } catch (error) {
        const debug = (context.process.env["KEELSON_DEBUG"] ?? "") !== "";
        report(context, diagnosticsOf(error, debug), output);
        context.process.exitCode = exitCode.invalid;
      }
    };
}

/** The long description of a command: what it does, what it runs of what others wrote, then examples. */
export function describe(
  text: string,
  examples: readonly (readonly [command: string, effect: string])[],
  command?: RunnableCommand,
): string {
  const width = Math.max(...examples.map(([command]) => command.length));
  const lines = examples.map(([command, effect]) => `  ${command.padEnd(width)}  # ${effect}`);
  const runs = command === undefined ? "" : `\n\nRUNS\n  ${whatRuns[command].text}`;
  return `${text}${runs}\n\nEXAMPLES\n${lines.join("\n")}`;
}
