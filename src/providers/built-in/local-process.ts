import type { JsonObject } from "../../objects/index.ts";
import { command, filledText, texts } from "./input-shape.ts";
import { ProcessBook, type ProcessIdentity } from "./process-book.ts";
import { useOfGroup } from "./process-facts.ts";
import type { ResourceType } from "./resource-type.ts";
import { launchOf, type Machine } from "./run-group.ts";
import { removeState } from "./state-file.ts";
import { endProcess, startProcess } from "./start-process.ts";
import { tailFile } from "./tail-file.ts";

const graceMs = 10_000;

/** A process that goes on running when Keelson has ended. */
export function localProcess(machine: Machine): ResourceType {
  const book = new ProcessBook(machine.stateFolder);
  const outputsOf = (key: string, { pid }: ProcessIdentity): JsonObject => ({
    pid,
    logFile: book.logFile(key),
  });
  const start = async (key: string, inputs: JsonObject): Promise<ProcessIdentity> => {
    const launch = launchOf(inputs["command"], inputs, machine);
    await removeState(book.startedFile(key));
    await book.write(key, launch);
    const running = await startProcess(launch, machine, {
      logFile: book.logFile(key),
      startedFile: book.startedFile(key),
    });
    await book.write(key, launch, running);
    return running;
  };
  return {
    shape: {
      command: { rule: command, isRequired: true },
      environment: { rule: texts },
      directory: { rule: filledText },
    },
    fixedInputs: [],
    create: async (inputs, { name }) => {
      const key = book.newKey(name);
      try {
        const running = await start(key, inputs);
        return { id: book.idOf(key, running), outputs: outputsOf(key, running) };
      } catch (error) {
        await book.forget(key);
        throw error;
      }
    },
    read: async (id) => {
      const running = await book.runningOf(id);
      return running === undefined ? undefined : outputsOf(book.readId(id).key, running);
    },
    update: async (id, _oldInputs, newInputs, { signal }) => {
      const running = await book.runningOf(id);
      if (running !== undefined) await endProcess(running, graceMs, signal);
      const { key } = book.readId(id);
      return outputsOf(key, await start(key, newInputs));
    },
    delete: async (id, { signal }) => {
      const running = await book.runningOf(id);
      if (running !== undefined) await endProcess(running, graceMs, signal);
      await book.forget(book.readId(id).key);
    },
    find: async (inputs, { name }) => {
      const found = await book.find(name, launchOf(inputs["command"], inputs, machine));
      if (found === undefined) return undefined;
      const { key, running } = found;
      return { id: book.idOf(key, running), outputs: outputsOf(key, running) };
    },
    fetchLog: (id, options, { signal }) =>
      tailFile(book.logFile(book.readId(id).key), {
        ...options,
        signal,
        isWritten: async () => (await book.runningOf(id)) !== undefined,
        now: () => Date.now(),
      }),
    fetchStats: async (id) => {
      const running = await book.runningOf(id);
      if (running === undefined) return [];
      const { cpuSeconds, memoryBytes } = await useOfGroup(running.pid);
      const timeMs = Date.now();
      return [
        { name: "cpu", unit: "seconds", points: [{ timeMs, value: cpuSeconds }] },
        { name: "memory", unit: "bytes", points: [{ timeMs, value: memoryBytes }] },
      ];
    },
  };
}
