/** What the writers of a simulation apply: a few desired states, in the language of every source. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Cluster } from "../../../src/cluster/index.ts";
import { desire } from "../../../src/engine/load.ts";
import { closeSource, readSource, type Source } from "../../../src/engine/source/read-source.ts";
import { thisMachine } from "../../../src/engine/this-machine.ts";
import { readOnce } from "../../../src/observe/index.ts";
import type { DesiredGroup } from "../../../src/prepare/index.ts";
import type { ProviderHost } from "../../../src/providers/index.ts";
import type { Part } from "../../contract/parts.ts";
import { bundleObject, programText, yamlText } from "../../contract/ways/languages.ts";
import { shop } from "../fault-world.ts";
import { Chance } from "./chance.ts";
import type { Timeline } from "./timeline.ts";

export const languages = ["yaml", "tiltfile", "bundle", "program"] as const;

export type Language = (typeof languages)[number];

/** Enough for every kind of change from one to another; each program is a thread that stays. */
const statesOfEach = 8;
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const thingNames = ["s", "t", "u"];

/** Something outside of Kubernetes that a program asks for. */
interface WantedThing {
  readonly name: string;
  readonly value: string;
  readonly zone: string;
}

/** One desired state, read once for all schedules. */
export interface State {
  readonly parts: readonly Part[];
  readonly things: readonly WantedThing[];
  readonly source: Source;
}

/** Where the sources of a simulation are. */
export class Sources {
  readonly #folder = mkdtempSync(join(tmpdir(), "keelson-simulation-"));
  readonly #states = new Map<Language, readonly State[]>();

  /** Desired states of a language; the first is the smallest. */
  states(language: Language): readonly State[] {
    return this.#states.get(language) ?? [];
  }

  async read(): Promise<void> {
    this.#write("keelson.json", JSON.stringify({ project: "simulation" }));
    this.#write("node_modules/cloud/package.json", JSON.stringify(cloudPackage));
    this.#write("node_modules/cloud/index.js", cloudModule);
    for (const language of languages) {
      const states: State[] = [];
      for (let number = 0; number < statesOfEach; number++) {
        const chance = new Chance(number);
        const parts =
          number === 0 ? [{ name: "a", object: configMap("a", {}) }] : someParts(chance);
        const things = language === "program" ? someThings(chance, number) : [];
        const file = this.#write(
          // Resources of a program are named after its file, too.
          join(language, files[language]),
          texts[language](parts, things),
        );
        const host = { ...thisMachine(), workingDirectory: dirname(file) };
        states.push({ parts, things, source: await readSource(host, [file]) });
      }
      this.#states.set(language, states);
    }
  }

  async close(): Promise<void> {
    for (const states of this.#states.values())
      for (const { source } of states) await closeSource(source);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): string {
    const file = join(this.#folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}

/** What a state asks for in one cluster, whose network may fail here as anywhere. */
export async function desiredOf(
  { source }: State,
  cluster: Cluster,
  { time, providers }: { readonly time: Timeline; readonly providers: ProviderHost },
): Promise<DesiredGroup> {
  const { objects, invalid, components, ...rest } = await desire(
    thisMachine(),
    { cluster, namespace: "default", reads: readOnce(cluster) },
    { group: shop, source: shared(source) },
  );
  const program =
    rest.kind === "program"
      ? {
          ...rest.program,
          providers,
          // Values are computed in a thread.
          resolve: (...asked: Parameters<typeof rest.program.resolve>) =>
            time.outside(rest.program.resolve(...asked)),
        }
      : undefined;
  return { objects, invalid, components, program };
}

/** A program that fails is ended; others still want this one. */
function shared(source: Source): Source {
  if (source.kind !== "program") return source;
  return { ...source, program: { ...source.program, close: () => Promise.resolve() } };
}

const files: Record<Language, string> = {
  yaml: "input.yaml",
  tiltfile: "Tiltfile",
  bundle: "bundle.yaml",
  program: "main.ts",
};

const texts: Record<Language, (parts: readonly Part[], things: readonly WantedThing[]) => string> =
  {
    yaml: (parts) => yamlText(parts, "default"),
    tiltfile: (parts) => `k8s_yaml(blob(r'''${yamlText(parts, "default")}'''))\n`,
    bundle: (parts) => stringify(bundleObject("all", parts)),
    program: (parts, things) =>
      `import { Thing } from "cloud";\n${programText(parts)}${things.map(thingText).join("")}`,
  };

const cloudPackage = {
  name: "cloud",
  type: "module",
  exports: "./index.js",
  keelson: { provider: "./index.js" },
};

const cloudModule =
  'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n}\n';

/** A thing, and an object that is made of what it outputs. */
function thingText({ name, value, zone }: WantedThing): string {
  return (
    `const thing_${name} = new Thing("${name}", { value: "${value}", zone: "${zone}" }, { secret: ["value"] });\n` +
    `new k8s.ConfigMap("of-${name}", { data: { echo: thing_${name}.echo } });\n`
  );
}

function someThings(chance: Chance, number: number): readonly WantedThing[] {
  const chosen = number === 0 ? thingNames.slice(0, 1) : chance.some(thingNames);
  return chosen.map((name) => ({
    name,
    value: String(chance.between(0, 1)),
    zone: chance.one(["eu", "us"]),
  }));
}

/** Some objects, of which some wait for others, and some take values of others. */
function someParts(chance: Chance): readonly Part[] {
  const chosen = chance.some(names);
  return chosen.map((name, index) => {
    const before = chosen[chance.between(0, index - 1)];
    const object = configMap(name, { value: String(chance.between(0, 1)), taken: "" });
    if (index === 0 || before === undefined || chance.isOnceIn(2)) return { name, object };
    return chance.isOnceIn(2)
      ? { name, object, after: [before] }
      : { name, object, takes: { from: before, path: "data.value", into: "data.taken" } };
  });
}

function configMap(name: string, data: Readonly<Record<string, string>>): Part["object"] {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}
