import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveWorld } from "./live-world.ts";

describe("what is wrong with the objects of a program", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
    world.write("app/keelson.json", '{"project": "shop"}');
  });
  afterEach(() => {
    world.remove();
  });
  const plan = async (...lines: readonly string[]): Promise<string> => {
    world.write("app/main.ts", ['import { k8s } from "keelson";', ...lines, ""].join("\n"));
    return (await world.keelson(["plan", "app"])).stderr.replaceAll(/^using .*\n/gm, "");
  };

  it("is shown with the lines that allocate them", async () => {
    const invalid = await plan(
      'const data: any = { color: ["blue"] };',
      "",
      'new k8s.ConfigMap("a", { data });',
    );
    expect(invalid).toContain("error[schema.");
    expect(invalid).toContain('> 4 | new k8s.ConfigMap("a", { data });\n      | ^\n');
    const twice = await plan(
      'new k8s.ConfigMap("a", { metadata: { name: "x" } });',
      'new k8s.ConfigMap("b", { metadata: { name: "x" } });',
    );
    expect(twice).toContain("error[objects.duplicate-object]");
    expect(twice).toContain('> 3 | new k8s.ConfigMap("b", ');
  });

  it("is shown without what may be a secret", async () => {
    const near = await plan(
      'new k8s.Secret("s", { stringData: {',
      '  password: "hunter2" } });',
      'new k8s.ConfigMap("a", { data: { color: ["blue"] } as any });',
    );
    expect(near).toContain('> 4 | new k8s.ConfigMap("a"');
    expect(near).not.toContain("hunter2");
    const itself = await plan('new k8s.Secret("s", { data: { password: "hunter2!" } });');
    expect(itself).toContain("app/main.ts:2:1");
    expect(itself).not.toContain("hunter2");
  });

  describe("providers", () => {
    const cloud = "app/node_modules/cloud";
    const good =
      'export default { create: async (inputs) => ({ id: "x", outputs: inputs }), read: async () => undefined, update: async () => ({}), delete: async () => {} };';
    const program = (options = ""): string =>
      `import { k8s, Resource } from "keelson";\nimport { Thing } from "cloud";\nnew k8s.ConfigMap("first", {});\nnew Thing("t", {}${options});\n`;
    beforeEach(() => {
      const keelson = { provider: "./provider.js" };
      const manifest = { name: "cloud", type: "module", exports: "./index.js", keelson };
      world.write(`${cloud}/package.json`, JSON.stringify(manifest));
      world.write(
        `${cloud}/index.js`,
        'import { Resource } from "keelson";\nexport class Thing extends Resource {}\n',
      );
      world.write(`${cloud}/provider.js`, good);
      world.write("app/main.ts", program());
    });
    const maps = (): Promise<unknown> =>
      world.look((cluster) => cluster.list({ apiVersion: "v1", kind: "ConfigMap" }));

    it.each(["plan", "apply"])("that are missing or broken are told by %s", async (command) => {
      for (const breakIt of [
        () => {
          world.write(`${cloud}/provider.js`, "export default {");
        },
        () => {
          world.erase(`${cloud}/provider.js`);
        },
      ]) {
        breakIt();
        const { code, stderr } = await world.keelson([command, "app"]);
        expect(stderr).toContain("error[provider.not-loaded]");
        expect(stderr).toContain('> 4 | new Thing("t", {});');
        expect(code).toBe(1);
        expect(JSON.stringify(await maps())).not.toContain("first");
      }
    });

    it("may be missing where nothing is to be done", async () => {
      expect((await world.keelson(["apply", "app"])).code).toBe(0);
      world.erase(`${cloud}/provider.js`);
      const again = await world.keelson(["apply", "app"]);
      expect(again.stdout + again.stderr).toContain("2 unchanged");
      world.write(
        "app/main.ts",
        'import { k8s } from "keelson";\nnew k8s.ConfigMap("first", {});\n',
      );
      const pruning = await world.keelson(["plan", "app"]);
      expect(pruning.stderr).toContain("error[provider.not-loaded]");
    });

    it("name what changed after a plan was saved", async () => {
      expect((await world.keelson(["plan", "app", "--out", "plan.json"])).code).toBe(0);
      world.write("app/main.ts", program().replace('"t"', '"u"'));
      const { stderr } = await world.keelson(["apply", "plan.json"]);
      expect(stderr).toContain("error[live.plan-outdated]");
      expect(stderr).toContain(
        "Thing dev:shop:main:cloud:index/Thing#u: it was not part of the plan",
      );
      expect(stderr).toContain(
        "Thing dev:shop:main:cloud:index/Thing#t: it is no longer part of the",
      );
      expect(stderr).not.toContain("Provisioned");
    });

    it("leave what is retained, and destroy says so", async () => {
      world.write("app/main.ts", program(', { deletionPolicy: "retain" }'));
      expect((await world.keelson(["apply", "app"])).code).toBe(0);
      const { stdout } = await world.keelson(["destroy", "app"]);
      expect(stdout).toContain("it stays; only its record goes");
    });
  });
});
