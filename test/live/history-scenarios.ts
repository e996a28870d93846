import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { historyOfGroup } from "../../src/inventory/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { group, LiveWorld } from "./live-world.ts";

const secretValue = "correct-horse";

/** What runs leave of themselves; it holds on the sandbox and on any real cluster. */
export function historyScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let world: LiveWorld;
  const name = (base: string): string => `${base}-${unique}`;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
  });
  afterEach(() => {
    world.remove();
  });

  const found = (): Promise<KubernetesObject | undefined> =>
    world.look((cluster) =>
      cluster.find({
        apiVersion: "kpt.dev/v1alpha1",
        kind: "ResourceGroup",
        namespace: "default",
        name: name("told"),
      }),
    );
  const apply = async (...objects: readonly string[]): Promise<void> => {
    const ran = await world.live("apply -", group(name("told")) + objects.join(""));
    expect(ran).toMatchObject({ code: 0 });
  };
  /** Without what is different each time: the times and who it was. */
  const history = async (line = "status - --history"): Promise<string> =>
    (await world.live(line, group(name("told")))).stdout
      .replaceAll(/^\d{4}-\S+Z {2}(\w+) by [^:]+:/gm, "$1:")
      .replaceAll(`-${unique}`, "");
  const object = (kind: string, base: string, data: string, metadata = ""): string =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name(base)}, namespace: default${metadata} }\n${data}\n---\n`;

  describe("the history of an inventory", () => {
    it("tells which runs changed what, by fields, and never a value", async () => {
      expect(await history()).toBe("of the inventory default/told no change is remembered\n");
      const map = (color: string): string =>
        object("ConfigMap", "map", `data: { color: ${color} }`);
      const secret = (value: string): string =>
        object("Secret", "secret", `stringData: { password: ${value} }`);
      await apply(map("blue"), secret("first"));
      const before = (await found())?.metadata.resourceVersion;
      await apply(map("blue"), secret("first"));
      expect((await found())?.metadata.resourceVersion).toBe(before);
      await apply(map("red"), secret(secretValue));
      await apply(map("red"));
      expect(await history()).toBe(
        [
          "apply: 1 pruned",
          "  pruned  Secret default/secret",
          "apply: 2 changed",
          "  changed  ConfigMap default/map  .data.color",
          "  changed  Secret default/secret  .data.password",
          "apply: 2 created",
          "  created  ConfigMap default/map",
          "  created  Secret default/secret",
          "",
        ].join("\n"),
      );
      const told = await found();
      const kept = told === undefined ? "" : (historyOfGroup(told) ?? "");
      expect(kept).toContain(".data.password");
      expect(kept).not.toMatch(/correct-horse|first|Y29ycmVjd|red/);
      const [newest] = (await history("status - --history -o json")).split("\n");
      expect(JSON.parse(newest ?? "")).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        type: "history",
        command: "apply",
        counts: { pruned: 1 },
      });
      expect((await world.live("destroy -", group(name("told")))).code).toBe(0);
      expect(await found()).toBeUndefined();
    });

    it("tells what failed, and what a destroy could do", async () => {
      const fixed = (color: string): string =>
        object("ConfigMap", "fixed", `immutable: true\ndata: { color: ${color} }`);
      const held = object("ConfigMap", "held", "data: {}", ", finalizers: [example.com/hold]");
      await apply(fixed("blue"), held);
      const ran = await world.live("apply -", group(name("told")) + fixed("red") + held);
      expect(ran.code).not.toBe(0);
      expect(await history()).toMatch(/^apply: 1 failed\n {2}failed {2}ConfigMap default\/fixed\n/);
      await world.live("destroy - --delete-timeout 1s", group(name("told")));
      expect(await history()).toMatch(
        /^destroy: 1 pruned\n {2}pruned {2}ConfigMap default\/fixed\n/,
      );
      const left = {
        apiVersion: "v1",
        kind: "ConfigMap",
        namespace: "default",
        name: name("held"),
      };
      await world.look((cluster) =>
        cluster.patch(left, "merge", { metadata: { finalizers: null } }, {}),
      );
      expect((await world.live("destroy -", group(name("told")))).code).toBe(0);
    });
  });
}
