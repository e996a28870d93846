import type { CommandHandler } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { CheckFlags } from "./check.ts";

export const runCheck: CommandHandler<CheckFlags, readonly string[]> = (
  context,
  _flags,
  ...inputs
) => {
  context.process.stdout.write(`${inputs.join(" ")}\n`);
  return exitCode.success;
};
