import type { JsonObject } from "../../../src/json/index.ts";
import type { Created, ProviderContext, ProviderHost } from "../../../src/providers/index.ts";
import { BackendLost } from "../../../src/providers/run/backend.ts";
import { guardProvider } from "../../../src/providers/run/guard-provider.ts";
import { moduleBackend } from "../../../src/providers/run/module-backend.ts";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import type { Timeline } from "./timeline.ts";

interface Thing {
  readonly name: string;
  readonly inputs: JsonObject;
}

/** What becomes of a change: it fails, it or its answer is lost with the provider, its answer cannot be used. */
type Fate = "done" | "refused" | "lost" | "lost-answer" | "nonsense";

/** No change is under way for longer, as with requests of the network. */
const mostUnderWayMs = 4_000;

/** Stands in for what is outside of Kubernetes: things that must be neither lost nor made twice. */
export class Cloud {
  readonly #time: Timeline;
  readonly #chance: Chance;
  readonly #things = new Map<string, Thing>();
  #made = 0;

  constructor(time: Timeline, chance: Chance) {
    this.#time = time;
    this.#chance = chance;
  }

  /** What is there, as `name zone`. */
  things(): readonly string[] {
    return [...this.#things.values()]
      .map(({ name, inputs }) => `${thingName(name)} ${textIn(inputs, "zone")}`)
      .sort();
  }

  /** The providers of a process on a machine; without one nothing goes wrong. */
  providers(machine?: Machine): ProviderHost {
    const backend = moduleBackend(this.#operations(machine), "cloud", "simulation");
    const provider = guardProvider(backend, { packageName: "cloud", timeouts: {} });
    return { provider: () => Promise.resolve(provider), close: () => Promise.resolve() };
  }

  #operations(machine: Machine | undefined): object {
    const change = async <Result>(work: () => Result): Promise<Result | string> => {
      const fate = machine === undefined ? "done" : this.#fate();
      await this.#pass(machine);
      if (fate === "refused") {
        await machine?.awake();
        throw new Error("the cloud says no");
      }
      if (fate === "lost") return lost(machine);
      const result = work();
      await this.#pass(machine);
      if (fate === "lost-answer") return lost(machine);
      await machine?.awake();
      return fate === "nonsense" ? unusable(result) : result;
    };
    return {
      create: (inputs: JsonObject, { name }: ProviderContext) =>
        change((): Created => {
          const id = `thing-${++this.#made}`;
          this.#things.set(id, { name, inputs });
          return { id, outputs: outputsOf(inputs) };
        }),
      read: async (id: string) => {
        await this.#pass(machine);
        await machine?.awake();
        const found = this.#things.get(id);
        return found === undefined ? undefined : outputsOf(found.inputs);
      },
      update: (id: string, _old: JsonObject, inputs: JsonObject) =>
        change(() => {
          const found = this.#things.get(id);
          if (found === undefined) throw new Error(`there is no ${id}`);
          this.#things.set(id, { ...found, inputs });
          return outputsOf(inputs);
        }),
      delete: (id: string) =>
        change(() => {
          this.#things.delete(id);
        }),
      diff: (before: JsonObject, after: JsonObject) => ({
        changes: Object.keys(after).filter((key) => before[key] !== after[key]),
        replace: before["zone"] === after["zone"] ? [] : ["zone"],
      }),
      find: async (inputs: JsonObject, { name }: ProviderContext) => {
        await this.#pass(machine);
        await machine?.awake();
        const wanted = JSON.stringify(inputs);
        const found = [...this.#things].find(
          ([, thing]) => thing.name === name && JSON.stringify(thing.inputs) === wanted,
        );
        return found === undefined
          ? undefined
          : { id: found[0], outputs: outputsOf(found[1].inputs) };
      },
    };
  }

  #fate(): Fate {
    const number = this.#chance.between(0, 49);
    const fates: readonly Fate[] = ["refused", "lost", "lost-answer", "nonsense"];
    return fates[number] ?? "done";
  }

  async #pass(machine: Machine | undefined): Promise<void> {
    if (machine === undefined) return;
    const most = this.#chance.isOnceIn(10) ? mostUnderWayMs : 500;
    await this.#time.wait(this.#chance.between(0, most));
  }
}

/** The name of a thing in its program. */
export function thingName(resource: string): string {
  return resource.slice(resource.indexOf("#") + 1);
}

function outputsOf(inputs: JsonObject): JsonObject {
  return { echo: `${textIn(inputs, "value")}!` };
}

async function lost(machine: Machine | undefined): Promise<never> {
  await machine?.awake();
  throw new BackendLost("ended", "ended");
}

function unusable(result: unknown): string {
  const { id } = (result ?? {}) as Partial<Created>;
  return (id === undefined ? "done" : { id, outputs: 7 }) as string;
}

function textIn(inputs: JsonObject, name: string): string {
  const value = inputs[name];
  return typeof value === "string" ? value : "";
}
