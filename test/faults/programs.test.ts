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
    how: fc.constantFrom(
      "fails",
      "dies-before",
      "dies-after",
      "hangs-before",
      "hangs-after",
      "lies",
      "lies-about-outputs",
    ),
  }),
});

describe("programs whose provider fails, dies, hangs or lies at any change", () => {
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
      return `const t${index} = new Thing("${id}", { value: ${text}, zone: "${zone}" }, { timeouts });`;
    });
    world.write(
      "app/main.ts",
      `import { k8s } from "keelson";\nimport { Thing } from "cloud";\nconst timeouts = { create: "500ms", update: "500ms", delete: "500ms" };\n${lines.join("\n")}\n` +
        `const sum = new k8s.ConfigMap("sum", { data: { all: \`${things.map((_, index) => `\${t${index}.size}`).join("-")}\` } }, { naming: "contentsHash" });\n` +
        'new k8s.ConfigMap("user", { data: { uses: sum.metadata.name } });\n',
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
          // What a failed run leaves behind must not be what the next one begins with.
          rmSync(cloudFile("cloud.json"), { force: true });
          rmSync(join(world.home, ".local"), { recursive: true, force: true });
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
            expect((await keelson("plan")).stdout).toBe(`${each.things.length + 2} unchanged\n`);
          }
          expect((await keelson("destroy")).code).toBe(0);
          expect(idsInCloud()).toEqual([]);
        }),
        { numRuns: 6 },
      );
    },
  );

  const single = (how: string): Step => ({
    things: [{ id: "a", value: 1, zone: "eu", from: [] }],
    fault: { at: 1, how },
  });

  it("end when the time is over that the program gives them", async () => {
    write(single("hangs-before"));
    const { code, stdout } = await keelson("apply");
    expect(code).toBe(3);
    expect(stdout).toMatch(/Thing#a failed: creating .* did not answer within 500 ms/);
  });

  it("remember what was made although the answer cannot be used, and do not use it", async () => {
    write(single("lies-about-outputs"));
    expect((await keelson("apply")).stdout).toContain("it was made, with the id thing-1");
    expect((await keelson("apply")).code).toBe(0);
    expect(idsInCloud()).toEqual(["a eu"]);
    expect((await keelson("destroy")).code).toBe(0);
    expect(idsInCloud()).toEqual([]);
  });

  describe("with a provider that cannot look for what it made", () => {
    const withoutFind = (): void => {
      const file = cloudFile("provider.mjs");
      writeFileSync(file, readFileSync(file, "utf8").replace(', "find"]', "]"));
    };
    const one: Step = {
      things: [{ id: "a", value: 1, zone: "eu", from: [] }],
      fault: { at: 1, how: "dies-after" },
    };
    const resource = "dev:faulty:main:cloud:index/Thing#a";

    it("ask what became of an interrupted creation, and take it over by its id", async () => {
      withoutFind();
      write(one);
      expect((await keelson("apply")).code).toBe(3);
      const asked = await keelson("apply");
      expect(asked.stdout).toContain(
        "the creation of dev:faulty:main:cloud:index/Thing#a was interrupted",
      );
      const json = await world.keelson(["apply", "app", "--output", "json"]);
      expect(json.stdout).toContain("program.interrupted-create");
      expect(idsInCloud()).toEqual(["a eu"]);
      const taken = await world.keelson(["import", resource, "thing-1", "--source", "app"]);
      expect(taken).toMatchObject({ code: 0 });
      expect((await keelson("apply")).code).toBe(0);
      expect(idsInCloud()).toEqual(["a eu"]);
      const wrong = await world.keelson(["import", resource, "thing-9", "--source", "app"]);
      expect(wrong.stderr).toContain("error[program.unknown-resource]");
      expect((await keelson("destroy")).code).toBe(0);
      expect(idsInCloud()).toEqual([]);
    });

    it("are left alone by whoever has no provider at hand", async () => {
      write({ ...one, fault: { at: 99, how: "fails" } });
      expect((await keelson("apply")).code).toBe(0);
      world.write(
        "rg.yaml",
        "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: faulty-dev, namespace: default}\n",
      );
      const destroyed = await world.live("destroy --rg-file rg.yaml --output events-json");
      expect(destroyed.code).toBe(3);
      expect(destroyed.stdout).toContain("program.provider-needed");
      expect(destroyed.stdout).toContain("was made by the provider of cloud");
      expect(idsInCloud()).toEqual(["a eu"]);
      expect((await keelson("destroy")).code).toBe(0);
      expect(idsInCloud()).toEqual([]);
    });

    it("cannot be taken over before what they are made of is there", async () => {
      write({
        things: [
          { id: "a", value: 1, zone: "eu", from: [] },
          { id: "b", value: 2, zone: "eu", from: [0] },
        ],
        fault: { at: 99, how: "fails" },
      });
      const refused = await world.keelson([
        "import",
        resource.replace("#a", "#b"),
        "thing-1",
        "--source",
        "app",
      ]);
      expect(refused.stderr).toContain("error[program.unresolved]");
    });
  });
});
