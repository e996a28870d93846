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
});
