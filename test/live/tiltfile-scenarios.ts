import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { group, LiveWorld } from "./live-world.ts";

/** A Tiltfile as the source of an apply; on the sandbox and on any cluster. */
export function tiltfileScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
  });
  afterEach(() => {
    world.remove();
  });
  const name = (base: string): string => `${base}-${unique}`;
  const workload = (objectName: string, more = ""): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${objectName}}\nspec:\n  selector: {matchLabels: {app: ${objectName}}}\n  template:\n    metadata: {labels: {app: ${objectName}}}\n    spec: {containers: [{name: c, image: nginx${more}}]}\n---\n`;

  describe("a Tiltfile", () => {
    it("is applied in the order of its components, which name its objects", async () => {
      const [api, web, shared] = [name("tilt-api"), name("tilt-web"), name("tilt-shared")];
      world.write("app/k8s/all.yaml", workload(web) + workload(api));
      world.write(
        "app/Tiltfile",
        `k8s_yaml('k8s/all.yaml')\nk8s_yaml(blob("""{apiVersion: v1, kind: ConfigMap, metadata: {name: ${shared}}}"""))\nk8s_resource('${web}', new_name='front', resource_deps=['${api}'])\n`,
      );
      world.write("app/resourcegroup.yaml", group(name("tilt-group")));
      const { code, stdout } = await world.live("apply app --output events-json");
      expect(code).toBe(0);
      const events = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
      const seen = events
        .filter(
          ({ type, status }) => status === "successful" && (type === "apply" || type === "wait"),
        )
        .map(({ type, component }) => `${String(component)} ${String(type)}`);
      expect(seen).toEqual([
        "uncategorized apply",
        "uncategorized wait",
        `${api} apply`,
        `${api} wait`,
        "front apply",
        "front wait",
      ]);
      expect((await world.live("plan app/Tiltfile")).stdout).toBe("3 unchanged\n");
      const { stdout: drawn } = await world.keelson(["graph", "app"]);
      expect(drawn).toContain(`needs component ${api}: front waits for ${api}`);
      expect(drawn).toContain("after component uncategorized: uncategorized comes first");
      expect((await world.live("destroy app")).stdout).toContain("3 deleted");
    });

    it("says everything that is wrong before anything is written", async () => {
      const api = name("tilt-broken");
      world.write(
        "app/Tiltfile",
        `k8s_yaml(blob("""${workload(api)}"""))\nk8s_resource('${api}x', port_forwards=1)\n`,
      );
      world.write("app/resourcegroup.yaml", group(name("tilt-broken-group")));
      const { code, stderr } = await world.live("apply app");
      expect(code).toBe(1);
      expect(stderr).toContain("error[assembly.unknown-workload]");
      expect(stderr).toMatch(/Tiltfile:\d+:\d+/);
      const found = await world.look((cluster) =>
        cluster.find({
          apiVersion: "apps/v1",
          kind: "Deployment",
          namespace: "default",
          name: api,
        }),
      );
      expect(found).toBeUndefined();
    });
  });
}
