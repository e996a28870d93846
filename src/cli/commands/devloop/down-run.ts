import { runCommand } from "../../../images/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { readProject } from "../../source/project.ts";
import { readSource } from "../../source/read-source.ts";
import { tiltfilePath } from "../../source/tiltfile-path.ts";
import { inputPaths } from "../../input-paths.ts";
import { runDestroy } from "../project/destroy-run.ts";
import type { DownFlags } from "./down.ts";

export const runDown: CommandHandler<DownFlags, [string]> = async (context, flags, input) => {
  const code = await runDestroy(context, { ...flags, yes: true }, input);
  if (flags.dryRun || code !== exitCode.success) return code;
  await deleteDeploys(context, flags, input);
  return code;
};

/** What commands of the user brought, only commands of the user can take away. */
async function deleteDeploys(context: CliContext, flags: DownFlags, input: string): Promise<void> {
  const [path = ""] = inputPaths(context, [input]);
  if ((await tiltfilePath(path)) === undefined) return;
  const project = await readProject(context, input, flags.env);
  const { tiltfile } = await readSource(context, [input], { subcommand: "down", env: project.env });
  for (const { name, delete: command } of tiltfile?.customDeploys ?? []) {
    const { status, lastLines } = await runCommand({
      command: command.command,
      directory: command.directory,
      environment: { ...context.process.env, ...command.environment },
      signal: new AbortController().signal,
      onLine: (line) => context.process.stderr.write(`${context.style.stderr.dim(line)}\n`),
    });
    if (status !== 0)
      fail({
        code: "devloop.update",
        summary: `the command that deletes ${name} failed`,
        ...(lastLines.length === 0 ? {} : { detail: lastLines.join("\n") }),
      });
  }
}
