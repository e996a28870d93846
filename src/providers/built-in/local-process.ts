import { changedKeys, type JsonObject } from "../../json/index.ts";
import { command, filledText, textsInput, wholeNumber } from "./input-shape.ts";
import { ProcessBook, type ProcessIdentity, type ProcessPlan } from "./process-book.ts";
import { useOfGroup } from "./process-facts.ts";
import type { ResourceType } from "./resource-type.ts";
import { launchOf, type Machine } from "./run-group.ts";
import { removeState } from "./state-file.ts";
import { endProcess, startProcess } from "./start-process.ts";
import { tailFile } from "./tail-file.ts";

const usualGraceSeconds = 10;
const longestGraceSeconds = 3_600;

/** A process that goes on running when Keelson has ended. */
export function localProcess(machine: Machine): ResourceType {
  const book = new ProcessBook(machine.stateFolder);
  const outputsOf = (key: string, { pid }: ProcessIdentity): JsonObject => ({
    pid,
    logFile: book.logFile(key),
  });
  const planOf = (inputs: JsonObject): ProcessPlan => ({
    launch: launchOf(inputs["command"], inputs, machine),
    graceMs: Number(inputs["graceSeconds"] ?? usualGraceSeconds) * 1_000,
  });
  const start = async (key: string, inputs: JsonObject): Promise<ProcessIdentity> => {
    const plan = planOf(inputs);
    await removeState(book.startedFile(key));
    await book.write(key, plan);
    const running = await startProcess(plan.launch, machine, {
      logFile: book.logFile(key),
      startedFile: book.startedFile(key),
    });
    await book.write(key, plan, running);
    return running;
  };
  return {
    shape: {
      command: { rule: command, isRequired: true },
      environment: { rule: textsInput },
      directory: { rule: filledText },
      graceSeconds: { rule: wholeNumber(0, longestGraceSeconds) },
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
    update: async (id, oldInputs, newInputs, { signal }) => {
      const { key } = book.readId(id);
      const running = await book.runningOf(id);
      const isOnlyGrace = changedKeys(oldInputs, newInputs).every(
        (name) => name === "graceSeconds",
      );
      if (running !== undefined && isOnlyGrace) {
        await book.write(key, planOf(newInputs), running);
        return outputsOf(key, running);
      }
      if (running !== undefined) await endProcess(running, await book.graceOf(key), signal);
      return outputsOf(key, await start(key, newInputs));
    },
    delete: async (id, { signal }) => {
      const { key } = book.readId(id);
      const running = await book.runningOf(id);
      if (running !== undefined) await endProcess(running, await book.graceOf(key), signal);
      await book.forget(key);
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
