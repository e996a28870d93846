import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveWorld } from "../live/live-world.ts";

/** One thing of a random program: what it is made with, and which others it takes values from. */
interface Thing {
  readonly id: string;
  readonly value: number;
  readonly zone: string;
  readonly from: readonly number[];
}

interface Step {
  readonly things: readonly Thing[];
  readonly fault: { readonly at: number; readonly how: string };
}

const thing = fc.record({
  id: fc.constantFrom("a", "b", "c", "d"),
  value: fc.integer({ min: 0, max: 3 }),
  zone: fc.constantFrom("eu", "us"),
  from: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 1 }),
});
const step: fc.Arbitrary<Step> = fc.record({
  things: fc.uniqueArray(thing, { selector: ({ id }) => id, maxLength: 4 }),
  fault: fc.record({
    at: fc.integer({ min: 1, max: 6 }),
    how: fc.constantFrom("fails", "dies-before", "dies-after"),
  }),
});

describe("programs whose provider fails or dies at any change", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
    const cloud = "app/node_modules/cloud";
    world.write("app/keelson.json", '{"project": "faulty"}');
    world.write(
      `${cloud}/package.json`,
      JSON.stringify({
        name: "cloud",
        type: "module",
        exports: "./index.js",
        keelson: { provider: { command: [process.execPath, "provider.mjs"] } },
      }),
    );
    world.write(
      `${cloud}/index.js`,
      'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n  size = provisioned();\n}\n',
    );
    copyFileSync(
      new URL("./cloud-provider.mjs", import.meta.url),
      join(world.home, cloud, "provider.mjs"),
    );
  });
  afterEach(() => {
    world.remove();
  });
  const cloudFile = (file: string): string => join(world.home, "app/node_modules/cloud", file);
  const write = ({ things, fault }: Step): void => {
    const lines = things.map(({ id, value, zone, from }, index) => {
      // Only what stands before it can be used.
      const sources = from.filter((source) => source < index).map((source) => `t${source}.echo`);
      const text = ["`", String(value), ...sources.map((source) => ` \${${source}}`), "`"].join("");
      return `const t${index} = new Thing("${id}", { value: ${text}, zone: "${zone}" });`;
    });
    world.write(
      "app/main.ts",
      `import { k8s } from "keelson";\nimport { Thing } from "cloud";\n${lines.join("\n")}\n` +
        `new k8s.ConfigMap("sum", { data: { all: \`${things.map((_, index) => `\${t${index}.size}`).join("-")}\` } });\n`,
    );
    const { calls = 0 } = readCloud();
    writeFileSync(cloudFile("fault.json"), JSON.stringify({ ...fault, at: calls + fault.at }));
  };
  const readCloud = (): {
    readonly calls?: number;
    readonly things: Readonly<Record<string, { name: string; inputs: { zone: string } }>>;
  } =>
    existsSync(cloudFile("cloud.json"))
      ? (JSON.parse(readFileSync(cloudFile("cloud.json"), "utf8")) as ReturnType<typeof readCloud>)
      : { things: {} };
  const keelson = (command: string): ReturnType<LiveWorld["keelson"]> =>
    world.keelson([command, "app"]);
  const idsInCloud = (): readonly string[] =>
    Object.values(readCloud().things)
      .map(({ name, inputs }) => `${name.slice(name.indexOf("#") + 1)} ${inputs.zone}`)
      .sort();

  it(
    "end with each thing made once, none lost, and nothing left to do",
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
          rmSync(cloudFile("cloud.json"), { force: true });
          for (const each of steps) {
            write(each);
            let last = await keelson("apply");
            for (let again = 0; again < 3 && last.code !== 0; again++)
              last = await keelson("apply");
            expect({
              code: last.code,
              said: last.code === 0 ? "" : last.stdout + last.stderr,
            }).toEqual({
              code: 0,
              said: "",
            });
            expect(idsInCloud()).toEqual(each.things.map(({ id, zone }) => `${id} ${zone}`).sort());
            rmSync(cloudFile("fault.json"), { force: true });
            expect((await keelson("plan")).stdout).toBe(`${each.things.length + 1} unchanged\n`);
          }
          expect((await keelson("destroy")).code).toBe(0);
          expect(idsInCloud()).toEqual([]);
        }),
        { numRuns: 6 },
      );
    },
  );
});
