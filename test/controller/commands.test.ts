import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readObjectsFromText } from "../../src/objects/index.ts";
import { LiveWorld } from "../live/live-world.ts";

describe("commands of the controller", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
  });
  afterEach(() => {
    world.remove();
  });
  const keelson = (line: string): ReturnType<LiveWorld["keelson"]> =>
    world.keelson(line.split(" "));

  it("say that the kinds are missing, before anything is watched", async () => {
    const { code, stderr } = await keelson("controller");
    expect(code).toBe(1);
    expect(stderr).toContain("error[controller.not-installed]");
    expect(stderr).toContain("keelson controller --install");
  });

  it("refuse flags that make no sense", async () => {
    for (const [flag, said] of [
      ["--lease nothing", "is no Lease; write namespace/name"],
      ["--health-port 70000", "is no port"],
      ["--workers 0", "is no number of workers"],
      ["--lease-duration soon", "is no duration"],
    ] as const) {
      const { code, stderr } = await keelson(`controller ${flag}`);
      expect(code).toBe(1);
      expect(stderr).toContain(said);
    }
  });

  it("print what a cluster needs, as YAML and as JSON", async () => {
    const { stdout } = await keelson("install --namespace platform --image keelson:1 --replicas 3");
    const { objects, diagnostics } = readObjectsFromText("install.yaml", stdout);
    expect(diagnostics).toEqual([]);
    const kinds = new Map<string, number>();
    for (const { object } of objects) kinds.set(object.kind, (kinds.get(object.kind) ?? 0) + 1);
    expect([...kinds.keys()]).toEqual([
      "Namespace",
      "CustomResourceDefinition",
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "Role",
      "RoleBinding",
      "Deployment",
      "Service",
    ]);
    expect(stdout).toContain("image: keelson:1");
    const json = JSON.parse((await keelson("install -o json")).stdout) as { items: unknown[] };
    expect(json.items).toHaveLength(objects.length);
    const only = (await keelson("install --definitions-only")).stdout;
    expect(readObjectsFromText("d.yaml", only).objects.map(({ object }) => object.kind)).toEqual(
      Array.from(
        { length: kinds.get("CustomResourceDefinition") ?? 0 },
        () => "CustomResourceDefinition",
      ),
    );
  });

  it("apply it, twice to the same effect", async () => {
    const first = await keelson("install --apply");
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining("Deployment.apps keelson-system/keelson-controller created"),
    ]);
    const again = await keelson("install --apply -o json");
    expect(again.code).toBe(0);
    const lines = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { change: string });
    expect(new Set(lines.map(({ change }) => change))).toEqual(new Set(["configured"]));
  });

  it("leave a definition of a newer Keelson alone, and say so", async () => {
    const name = "bundles.smith.atlassian.com";
    await keelson("install --definitions-only --apply");
    const printed = await keelson("install --definitions-only");
    const { objects } = readObjectsFromText("install.yaml", printed.stdout);
    const own = objects.find(({ object }) => object.metadata.name === name)?.object;
    const newer = JSON.stringify(own)
      .replace(/"keelson.dev\/definition-version":"\d+"/, '"keelson.dev/definition-version":"9999"')
      .replace('"type":"object"', '"type":"object","description":"of tomorrow"');
    world.write("newer.yaml", newer);
    world.write(
      "rg.yaml",
      "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: newer, namespace: default}\n",
    );
    const forced = await world.live(
      "apply newer.yaml --rg-file rg.yaml --inventory-policy adopt --force-conflicts",
    );
    expect(forced.stderr + forced.stdout).not.toContain("error");
    const { code, stdout } = await keelson("install --definitions-only --apply");
    expect(code).toBe(0);
    expect(stdout).toContain(
      `CustomResourceDefinition.apiextensions.k8s.io ${name} left as it is: a newer Keelson wrote it`,
    );
    const json = (await keelson("install --definitions-only --apply -o json")).stdout;
    expect(json).toContain('"status":"skipped","reason":"NewerDefinition"');
    expect(json.split("\n").filter((line) => line.includes("NewerDefinition"))).toHaveLength(1);
  });
});
