import { changedKeys, type JsonObject } from "../../json/index.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ProviderContext } from "../provider.ts";
import { anyInput, command, filledText, textsInput } from "./input-shape.ts";
import type { ResourceType } from "./resource-type.ts";
import { type Launch, launchOf, type Machine, runGroup } from "./run-group.ts";
import { readState, removeState, writeState } from "./state-file.ts";

interface CommandState {
  readonly outputs: JsonObject;
  readonly delete?: Launch;
}

const mostLinesShown = 10;

/** A command that runs when it is created and whenever its inputs change. */
export function localCommand(machine: Machine): ResourceType {
  const fileOf = (id: string): string => {
    if (!/^command-[0-9a-f-]{36}$/.test(id))
      throw new Error(`${JSON.stringify(id)} is not the id of a Command`);
    return join(machine.stateFolder, `${id}.json`);
  };
  const keep = async (id: string, inputs: JsonObject, outputs: JsonObject): Promise<void> => {
    const state: CommandState = {
      outputs,
      ...(inputs["delete"] === undefined
        ? {}
        : { delete: launchOf(inputs["delete"], inputs, machine) }),
    };
    await writeState(fileOf(id), state);
  };
  const run = (inputs: JsonObject, context: ProviderContext): Promise<JsonObject> =>
    runOnce(launchOf(inputs["command"], inputs, machine), machine, context);
  return {
    shape: {
      command: { rule: command, isRequired: true },
      delete: { rule: command },
      environment: { rule: textsInput },
      directory: { rule: filledText },
      triggers: { rule: anyInput },
    },
    fixedInputs: [],
    create: async (inputs, context) => {
      const id = `command-${randomUUID()}`;
      const outputs = await run(inputs, context);
      await keep(id, inputs, outputs);
      return { id, outputs };
    },
    read: async (id) => (await readState<CommandState>(fileOf(id)))?.outputs,
    update: async (id, oldInputs, newInputs, context) => {
      const state = await readState<CommandState>(fileOf(id));
      const isOnlyDelete = changedKeys(oldInputs, newInputs).every((name) => name === "delete");
      const outputs =
        state !== undefined && isOnlyDelete ? state.outputs : await run(newInputs, context);
      await keep(id, newInputs, outputs);
      return outputs;
    },
    delete: async (id, context) => {
      const state = await readState<CommandState>(fileOf(id));
      if (state?.delete !== undefined) await runOnce(state.delete, machine, context);
      await removeState(fileOf(id));
    },
    find: async (_inputs, { log }) => {
      log("the command was interrupted when it ran last; it is run again");
      return undefined;
    },
  };
}

async function runOnce(
  launch: Launch,
  machine: Machine,
  { signal, log }: ProviderContext,
): Promise<JsonObject> {
  const { exitCode, how, stdout, stderr } = await runGroup(launch, machine, signal, log);
  if (exitCode !== 0) {
    const said = (stderr === "" ? stdout : stderr).split("\n").slice(-mostLinesShown);
    const shown = launch.argv[0] === "/bin/sh" ? launch.argv.at(-1) : launch.argv.join(" ");
    throw new Error([`${shown} ${how}`, ...said.map((line) => `| ${line}`)].join("\n"));
  }
  return { stdout, ...(stderr === "" ? {} : { stderr }), exitCode };
}
