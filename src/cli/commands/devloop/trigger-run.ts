import { controlFolder, findControl, requestTrigger } from "../../../devloop/index.ts";
import { fail, nearest } from "../../../diagnostics/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { inventoryName, readProject } from "../../../engine/index.ts";
import type { TriggerFlags } from "./trigger.ts";
import { hostOf } from "../../host-of.ts";

export const runTrigger: CommandHandler<TriggerFlags, string[]> = async (
  context,
  flags,
  ...components
) => {
  const name = inventoryName(await readProject(hostOf(context), flags.source, flags.env));
  const address = await findControl(controlFolder(context.process.env), name);
  if (address === undefined)
    fail({
      code: "devloop.not-running",
      summary: `nobody keeps ${name} running, so nothing can be triggered`,
      hint: "start `keelson up` first",
    });
  for (const component of components) {
    const answer = await requestTrigger(address, component);
    if (!answer.isKnown) {
      const near = nearest(component, answer.components);
      fail({
        code: "devloop.unknown-component",
        summary: `there is no component ${JSON.stringify(component)}`,
        detail: `There are: ${answer.components.join(", ")}`,
        ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
      });
    }
    context.process.stdout.write(
      flags.output === "json"
        ? `${JSON.stringify({ type: "trigger", component })}\n`
        : `${component} was triggered\n`,
    );
  }
  return exitCode.success;
};
