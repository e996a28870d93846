import { runCommand } from "../../../images/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { readProject } from "../../../engine/index.ts";
import { readSource } from "../../../engine/index.ts";
import { tiltfilePath } from "../../../engine/index.ts";
import { inputPaths } from "../../../engine/index.ts";
import { runDestroy } from "../project/destroy-run.ts";
import type { DownFlags } from "./down.ts";
import { hostOf } from "../../host-of.ts";

export const runDown: CommandHandler<DownFlags, [string]> = async (context, flags, input) => {
  const code = await runDestroy(context, { ...flags, yes: true }, input);
  if (flags.dryRun || code !== exitCode.success) return code;
  await deleteDeploys(context, flags, input);
  return code;
};

/** What commands of the user brought, only commands of the user can take away. */
async function deleteDeploys(context: CliContext, flags: DownFlags, input: string): Promise<void> {
  const [path = ""] = inputPaths(hostOf(context), [input]);
  if ((await tiltfilePath(path)) === undefined) return;
  const project = await readProject(hostOf(context), input, flags.env);
  const source = await readSource(hostOf(context), [input], {
    subcommand: "down",
    env: project.env,
  });
  if (source.kind !== "tiltfile") return;
  for (const { name, delete: command } of source.tiltfile.customDeploys) {
    const { status, lastLines } = await runCommand({
      command: command.command,
      directory: command.directory,
      environment: { ...context.process.env, ...command.environment },
      signal: new AbortController().signal,
      onLine: (line) => {
        const { dim, log } = context.style.stderr;
        context.process.stderr.write(`${dim(log(line))}\n`);
      },
    });
    if (status !== 0)
      fail({
        code: "devloop.update",
        summary: `the command that deletes ${name} failed`,
        ...(lastLines.length === 0 ? {} : { detail: lastLines.join("\n") }),
      });
  }
}
