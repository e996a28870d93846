import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { StoppedProcess } from "./stopped-process.ts";

const mostWrites = 60;

/** A program with an object, a thing of a provider with a secret, and an object that is made anew. */
describe("a program that is killed", () => {
  let world: StoppedProcess;
  beforeAll(async () => {
    world = await StoppedProcess.open(
      /^(?:\/configmaps|\/secrets|keelson\.dev\/|kpt\.dev\/|coordination\.k8s\.io\/)/,
    );
    const cloud = "app/node_modules/cloud";
    write("app/keelson.json", '{ "project": "killed" }');
    write(
      `${cloud}/package.json`,
      JSON.stringify({
        name: "cloud",
        type: "module",
        exports: "./index.js",
        keelson: { provider: { command: [process.execPath, "provider.mjs"] } },
      }),
    );
    write(
      `${cloud}/index.js`,
      'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n  size = provisioned();\n}\n',
    );
    copyFileSync(
      new URL("./cloud-provider.mjs", import.meta.url),
      join(world.folder, cloud, "provider.mjs"),
    );
  });
  afterAll(async () => {
    await world.close();
  });

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(world.folder, file)), { recursive: true });
    writeFileSync(join(world.folder, file), text);
  };
  const program = (value: string, zone: string): void => {
    write(
      "app/main.ts",
      `import { k8s } from "keelson";\nimport { Thing } from "cloud";\n` +
        `const thing = new Thing("a", { value: "${value}", zone: "${zone}" }, { secret: ["echo"] });\n` +
        `const fixed = new k8s.ConfigMap("fixed", { immutable: true, data: { value: "${value}" } });\n` +
        `const sum = new k8s.ConfigMap("sum", { data: { size: \`\${thing.size}\`, uses: fixed.metadata.name } }, { naming: "contentsHash" });\n` +
        'new k8s.ConfigMap("user", { data: { uses: sum.metadata.name } });\n',
    );
  };
  const finish = (command: string): Promise<Ran> =>
    runKeelson([command, "app", "--kubeconfig", world.kubeconfig], {
      env: { HOME: world.folder },
      workingDirectory: world.folder,
    });
  const things = (): readonly string[] => {
    const file = join(world.folder, "app/node_modules/cloud/cloud.json");
    const cloud = JSON.parse(readFileSync(file, "utf8")) as {
      readonly things: Readonly<Record<string, { inputs: { value: string; zone: string } }>>;
    };
    return Object.values(cloud.things).map(({ inputs }) => `${inputs.value} ${inputs.zone}`);
  };
  const objects = async (): Promise<readonly string[]> => {
    const { items } = await world.cluster.list({ apiVersion: "v1", kind: "ConfigMap" });
    return items
      .filter(({ metadata }) => metadata.annotations?.["keelson.dev/name"] !== undefined)
      .map(({ metadata }) => (metadata.name ?? "").replace(/-[0-9a-f]{6}$/, ""))
      .sort();
  };

  it(
    "with kill -9 at any write is finished by one more run, with each thing made once",
    { timeout: 600_000 },
    async () => {
      let at = 1;
      for (; at <= mostWrites; at++) {
        program("1", "eu");
        expect(await finish("apply")).toMatchObject({ code: 0 });
        program("2", "us");
        const killed = await world.run(["apply", "app"], (child, count) => {
          if (count === at) child.kill("SIGKILL");
        });
        const last = await finish("apply");
        expect({
          at,
          code: last.code,
          said: last.code === 0 ? "" : last.stdout + last.stderr,
        }).toEqual({ at, code: 0, said: "" });
        expect({ at, things: things(), objects: await objects() }).toEqual({
          at,
          things: ["2 us"],
          objects: ["fixed", "sum", "user"],
        });
        expect((await finish("plan")).stdout).toBe("4 unchanged\n");
        if (killed.signal !== "SIGKILL") break;
      }
      expect(at).toBeGreaterThan(8);
      expect(at).toBeLessThan(mostWrites);
      expect((await finish("destroy")).code).toBe(0);
      expect(things()).toEqual([]);
    },
  );
});
