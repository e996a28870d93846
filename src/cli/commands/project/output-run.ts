import { fail, nearest } from "../../../diagnostics/index.ts";
import { projectGroup } from "../../../engine/index.ts";
import { stringifyJson } from "../../../json/index.ts";
import { maskedValue } from "../../../objects/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { type KeptOutput, keptOutputs, outputLines, outputText } from "./kept-outputs.ts";
import { openProject } from "./open-project.ts";
import type { OutputCommandFlags } from "./output.ts";

export const runOutput: CommandHandler<OutputCommandFlags, [string?]> = async (
  context,
  flags,
  name,
) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const { stdout } = context.process;
  try {
    const group = projectGroup(project, opened.namespace);
    const outputs = (await keptOutputs(opened.cluster, project, group)) ?? [];
    const { showSecrets } = flags;
    const valueOf = ({ value, isSecret }: KeptOutput): KeptOutput["value"] =>
      isSecret && !showSecrets ? maskedValue : value;
    if (name === undefined) {
      if (flags.output === "json") {
        const values = Object.fromEntries(outputs.map((each) => [each.name, valueOf(each)]));
        stdout.write(`${stringifyJson(values)}\n`);
      } else if (outputs.length === 0)
        stdout.write("there are no outputs: the program exports none, or was not applied yet\n");
      else for (const line of outputLines(outputs, showSecrets)) stdout.write(`${line}\n`);
      return exitCode.success;
    }
    const found = outputs.find((each) => each.name === name);
    if (found === undefined) return failUnknown(name, outputs);
    const isJson = flags.output === "json";
    stdout.write(`${isJson ? stringifyJson(valueOf(found)) : outputText(found, showSecrets)}\n`);
    return exitCode.success;
  } finally {
    await opened.cluster.close();
  }
};

function failUnknown(name: string, outputs: readonly KeptOutput[]): never {
  const names = outputs.map((each) => each.name);
  const near = nearest(name, names);
  return fail({
    code: "program.unknown-output",
    summary: `there is no output ${JSON.stringify(name)}`,
    hint:
      names.length === 0
        ? "the program exports none, or was not applied yet: `export const url = …` in its main module, then `keelson apply`"
        : `${near === undefined ? "" : `${near}? `}The outputs are ${names.join(", ")}; after a change of the program, \`keelson apply\` makes them known.`,
  });
}
