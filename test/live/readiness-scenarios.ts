import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import type { Ran } from "../cli/run-keelson.ts";
import { configMap, group, LiveWorld, served } from "./live-world.ts";

type Annotations = Readonly<Record<string, string>>;

/**
 * What definitions say of the readiness of their instances, wherever readiness is asked; on the sandbox
 * and on any cluster. The cluster must be served: somebody else changes it while a run waits.
 */
export function readinessScenarios(kubeconfig: () => string, unique: string): void {
  let world: LiveWorld;
  let count = 0;
  let api: string;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
    api = `g${++count}-${unique}.example.com`;
  });
  afterEach(async () => {
    await world.look(async (cluster) => {
      for (const plural of ["stacks", "bindings"])
        await cluster.delete({ ...definitionKind, name: `${plural}.${api}` }).catch(() => {});
    });
    world.remove();
  });
  const name = (base: string): string => `${base}-${count}-${unique}`;

  const definition = (kind: string, annotations: Annotations = {}): KubernetesObject => {
    const plural = `${kind.toLowerCase()}s`;
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    return {
      ...definitionKind,
      metadata: { name: `${plural}.${api}`, annotations },
      spec: {
        group: api,
        names: { kind, plural },
        scope: "Namespaced",
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    };
  };
  const instance = (
    kind: string,
    objectName: string,
    fields: object = {},
    metadata: object = {},
  ): KubernetesObject => ({
    apiVersion: `${api}/v1`,
    kind,
    metadata: { name: objectName, namespace: "default", ...metadata },
    ...fields,
  });
  const text = (...objects: readonly KubernetesObject[]): string =>
    objects.map((object) => `${JSON.stringify(object)}\n---\n`).join("");
  const field: Annotations = {
    "smith.atlassian.com/TprReadyWhenFieldPath": "status.state",
    "smith.atlassian.com/TprReadyWhenFieldValue": "Ready",
  };
  const exists = (): Annotations => ({
    "smith.atlassian.com/CrReadyWhenExistsKind": "Binding",
    "smith.atlassian.com/CrReadyWhenExistsVersion": `${api}/v1`,
  });

  /** Runs a command, and changes the cluster once an object is there, while the command waits. */
  const whileWaiting = async (
    run: Promise<Ran>,
    kind: string,
    objectName: string,
    change: (cluster: Cluster, found: KubernetesObject) => Promise<unknown>,
  ): Promise<Ran> => {
    await world.look(async (cluster) => {
      await change(cluster, await appeared(cluster, `${api}/v1`, kind, objectName));
    });
    return run;
  };

  const drawn = async (): Promise<string> =>
    (await world.keelson(["graph", "pkg/a.yaml", "--live", "--format", "dot"])).stdout;

  describe("a definition with a rule", () => {
    it("in the same input counts before it is in the cluster, and is waited for", async () => {
      const input = text(
        definition("Stack", field),
        instance("Stack", "one", { status: { state: "Making" } }),
      );
      const after = configMap(
        name("after"),
        {},
        { "config.kubernetes.io/depends-on": `${api}/namespaces/default/Stack/one` },
      );
      const run = world.live("apply -", group(name("field")) + input + after);
      const { code, stdout } = await whileWaiting(run, "Stack", "one", async (cluster, found) => {
        const map = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
        expect(await cluster.find({ ...map, name: name("after") })).toBeUndefined();
        await patchStatus(cluster, found, { state: "Ready" });
      });
      expect(stdout).toContain("waits for status.state to be Ready; it is Making");
      expect(stdout).toContain("3 created");
      expect(code).toBe(0);
    });

    it("in the cluster counts for instances alone, in apply, status and graph", async () => {
      await world.live("apply -", group(name("kinds")) + text(definition("Stack", field)));
      const input = group(name("alone")) + text(instance("Stack", "one", { spec: {} }));
      world.write("pkg/a.yaml", input);
      const missed = await world.live("apply pkg --reconcile-timeout 1s");
      expect(missed.stdout).toContain("not ready in time: waits for status.state to be Ready");
      expect(missed.code).toBe(3);
      expect((await world.live("status pkg")).stdout).toContain(
        "default/one: InProgress: waits for status.state to be Ready; it is not there",
      );
      const before = await drawn();
      await world.look(async (cluster) => {
        await patchStatus(
          cluster,
          await cluster.get({ apiVersion: `${api}/v1`, kind: "Stack", ...one }),
          { state: "Ready" },
        );
      });
      const after = await drawn();
      expect([colorOf(before), colorOf(after)]).toEqual([waitingColor, readyColor]);
      expect((await world.live("status pkg")).stdout).toContain(
        "default/one: Current: status.state is Ready",
      );
      expect((await world.live("apply pkg")).code).toBe(0);
    });

    it("waits for an object that belongs to the instance, by uid", async () => {
      await world.live(
        "apply -",
        group(name("kinds")) + text(definition("Stack", exists()), definition("Binding")),
      );
      world.write("pkg/a.yaml", group(name("exists")) + text(instance("Stack", "one")));
      const owner = { apiVersion: `${api}/v1`, kind: "Stack", name: "one" };
      const binding = (objectName: string, uid: string): KubernetesObject =>
        instance("Binding", objectName, {}, { ownerReferences: [{ ...owner, uid }] });
      let before = "";
      const run = world.live("apply pkg");
      const { code, stdout } = await whileWaiting(run, "Stack", "one", async (cluster, found) => {
        await cluster.create(instance("Binding", "nobody", {}));
        before = await drawn();
        await cluster.create(binding("its-own", found.metadata.uid ?? ""));
      });
      expect(stdout).toContain("waits for a Binding that belongs to it");
      expect(code).toBe(0);
      const after = await drawn();
      expect([colorOf(before), colorOf(after)]).toEqual([waitingColor, readyColor]);
      expect((await world.live("status pkg")).stdout).toContain(
        "default/one: Current: Binding its-own belongs to it",
      );
      expect((await world.live("apply pkg")).stdout).toContain("1 unchanged");
    });

    it("says so when the kind that it waits for is not served, and does not hang", async () => {
      await world.live("apply -", group(name("kinds")) + text(definition("Stack", exists())));
      world.write("pkg/a.yaml", group(name("unserved")) + text(instance("Stack", "one")));
      expect((await world.live("apply pkg --reconcile-timeout 1s")).code).toBe(3);
      expect((await world.live("status pkg")).stdout).toContain(
        "default/one: InProgress: waits for a Binding that belongs to it",
      );
    });

    it("in CEL, of all instances or of one, whose own word wins", async () => {
      const all = { "keelson.dev/ready-when": 'self.status.phase == "Bound"' };
      const own = { annotations: { "keelson.dev/ready-when": "self.spec.size > 1" } };
      const input = text(
        definition("Stack", all),
        instance("Stack", "one", { status: { phase: "Pending" } }),
        instance("Stack", "two", { spec: { size: 2 } }, own),
      );
      const run = world.live("apply -", group(name("cel")) + input);
      const { code, stdout } = await whileWaiting(run, "Stack", "one", (cluster, found) =>
        patchStatus(cluster, found, { phase: "Bound" }),
      );
      expect(stdout).toContain(
        "Stack." + api + ' default/one: waits for self.status.phase == "Bound"',
      );
      expect(stdout).not.toContain("default/two: waits");
      expect(code).toBe(0);
    });
  });

  describe("a mistake in a rule", () => {
    it("in the input is told by check, plan and apply, and nothing is written", async () => {
      const bad = { "keelson.dev/ready-when": "self.status.phase = 1" };
      world.write(
        "pkg/a.yaml",
        group(name("bad")) + text(definition("Stack", bad)) + configMap(name("never")),
      );
      for (const line of ["check pkg", "live plan pkg", "live apply pkg"]) {
        const { code, stderr } = await world.keelson(line.split(" "));
        expect(stderr, line).toContain("error[readiness.invalid-expression]");
        expect(stderr, line).toMatch(/Stack|stacks/);
        expect(code, line).toBe(1);
      }
      await world.look(async (cluster) => {
        const map = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
        expect(await cluster.find({ ...map, name: name("never") })).toBeUndefined();
      });
      const { stderr, code } = await world.keelson(
        ["live", "apply", "-"],
        group(name("own")) +
          text(definition("Stack"), instance("Stack", "one", {}, { annotations: bad })),
      );
      expect(stderr).toContain("error[readiness.invalid-expression]");
      expect(code).toBe(1);
    });

    it("in the cluster fails every instance at once, in apply and in status", async () => {
      const half = { "smith.atlassian.com/TprReadyWhenFieldPath": "status.state" };
      await world.look(async (cluster) => {
        await cluster.create(definition("Stack", half));
        // A server takes a moment until it serves a new kind.
        await expect
          .poll(async () => (await cluster.refreshResources()).preferred(api, "Stack"), {
            timeout: 90_000,
          })
          .toBeDefined();
      });
      world.write("pkg/a.yaml", group(name("half")) + text(instance("Stack", "one")));
      const why = "TprReadyWhenFieldPath stands without smith.atlassian.com/TprReadyWhenFieldValue";
      const plan = await world.live("plan pkg");
      expect(plan.stdout + plan.stderr).toContain(why);
      const { code, stdout } = await world.live("apply pkg");
      expect(stdout).toContain(why);
      expect(code).toBe(3);
      const status = await world.live("status pkg");
      expect(status.stdout).toContain("default/one: Failed: CustomResourceDefinition stacks.");
      expect(status.stdout).toContain(why);
    });

    it("that may only be one is a warning", async () => {
      const odd = { "smith.atlassian.com/TprReadyWhenFieldPaht": "status.state" };
      const { code, stderr } = await world.live(
        "apply -",
        group(name("odd")) + text(definition("Stack", odd)),
      );
      expect(stderr).toContain("warning[readiness.unknown-annotation]");
      expect(stderr).toContain("Did you mean smith.atlassian.com/TprReadyWhenFieldPath?");
      expect(code).toBe(0);
    });
  });

  describe("a ThirdPartyResource", () => {
    const thirdParty = (): KubernetesObject => ({
      apiVersion: "extensions/v1beta1",
      kind: "ThirdPartyResource",
      description: "A stack",
      metadata: { name: `stack.${api}`, annotations: field },
      versions: [{ name: "v1" }],
    });
    const told = "warning[objects.third-party-resource]";

    it("is taken as its definition from a stream, and told", async () => {
      const ready = instance("Stack", "one", { status: { state: "Ready" } });
      const input = group(name("tpr")) + text(thirdParty(), ready);
      const { code, stderr, stdout } = await world.live("apply -", input);
      expect(stderr).toContain(told);
      expect(stdout).toContain("2 created");
      expect(code).toBe(0);
      const again = await world.live("apply -", input);
      expect(again.stdout).toContain("2 unchanged");
      // The status is a field like any other.
      const other = instance("Stack", "one", { status: { state: "Gone" } });
      const changed = group(name("tpr")) + text(thirdParty(), other);
      const { stdout: late } = await world.live("apply - --reconcile-timeout 1s", changed);
      expect(late).toContain("1 configured, 1 unchanged");
      expect(late).toContain("waits for status.state to be Ready; it is Gone");
      await world.look(async (cluster) => {
        const found = await cluster.get({ ...definitionKind, name: `stacks.${api}` });
        expect(found.metadata.annotations).toMatchObject(field);
        expect(found["spec"]).toMatchObject({
          names: { kind: "Stack", plural: "stacks" },
          versions: [{ name: "v1", schema: { openAPIV3Schema: { description: "A stack" } } }],
        });
      });
    });

    it("is the same from a Tiltfile and from a program", async () => {
      // The kind first: a busy server takes longer to establish it than the instance is waited for.
      world.write("app/all.yaml", text(thirdParty()));
      world.write("app/Tiltfile", "k8s_yaml('all.yaml')\n");
      world.write("app/resourcegroup.yaml", group(name("tilt")));
      const defined = await world.live("apply app");
      expect(defined.stderr).toContain(told);
      expect(defined.stdout).toContain("1 created");
      world.write("app/all.yaml", text(thirdParty(), instance("Stack", "one")));
      const tilt = await world.live("apply app --reconcile-timeout 1s");
      expect(tilt.stderr).toContain(told);
      expect(tilt.stdout).toContain("1 created, 1 unchanged");
      expect(tilt.stdout).toContain("waits for status.state to be Ready; it is not there");
      await world.live("destroy app");

      world.write("prog/keelson.json", JSON.stringify({ project: name("tpr") }));
      const kinds = `import { k8s } from "keelson";
        const kinds = new (k8s.kind("extensions/v1beta1", "ThirdPartyResource"))("kinds", ${JSON.stringify({ metadata: thirdParty().metadata, versions: [{ name: "v1" }] })} as never);\n`;
      world.write("prog/main.ts", kinds);
      expect((await world.keelson(["apply", "prog"])).stdout).toContain("1 created");
      world.write(
        "prog/main.ts",
        `${kinds}new (k8s.kind("${api}/v1", "Stack"))("one", { metadata: { name: "one" }, spec: {} } as never, { dependsOn: [kinds] });`,
      );
      const program = await world.keelson(["apply", "prog", "--reconcile-timeout", "1s"]);
      expect(program.stderr).toContain(told);
      expect(program.stdout).toContain("1 created, 1 unchanged");
      expect(program.stdout).toContain("waits for status.state to be Ready; it is not there");
      await world.keelson(["destroy", "prog"]);
    });

    it("that means nothing is refused", async () => {
      const { versions: _versions, ...rest } = thirdParty();
      const nameless = { ...thirdParty(), metadata: { name: "stack" } };
      const { code, stderr } = await world.live(
        "apply -",
        group(name("no")) + text(rest, nameless),
      );
      expect(stderr.match(/error\[objects\.invalid-third-party-resource\]/g)).toHaveLength(2);
      expect(code).toBe(1);
    });
  });

  describe("built-in kinds and input of other days", () => {
    it("has its uid left out, which is told", async () => {
      const uid = "038b49a6-e746-11e6-baf3-ee8d75af8f6e";
      const input = text(definition("Stack"), instance("Stack", "one", {}, { uid }));
      const { code, stderr } = await world.live("apply -", group(name("uid")) + input);
      expect(stderr).toContain("warning[objects.uid-dropped]");
      expect(code).toBe(0);
    });

    it("that belongs to nobody there is refused, with the uid that would do", async () => {
      await world.live(
        "apply -",
        group(name("owner")) + text(definition("Stack"), instance("Stack", "one")),
      );
      const owner = { apiVersion: `${api}/v1`, kind: "Stack", name: "one", uid: "1-2-3" };
      const owned = (reference: object): string =>
        group(name("owned")) +
        `${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: name("owned"), namespace: "default", ownerReferences: [reference] } })}\n---\n`;
      const other = await world.live("apply -", owned(owner));
      expect(other.stderr).toContain("error[live.absent-owner]");
      expect(other.stderr).toContain("garbage collection would delete it");
      expect(other.code).toBe(1);
      const live = /Write `uid: (\S+)`/.exec(other.stderr)?.[1];
      const none = await world.live("apply -", owned({ ...owner, name: "two" }));
      expect(none.stderr).toContain("Stack two, which is not in the cluster");
      expect((await world.live("apply -", owned({ ...owner, uid: live }))).code).toBe(0);
      const filled = await world.live("status -", owned({ ...owner, uid: live }));
      expect(filled.stdout).toContain("Current");
    });

    it("a Job is waited for to its end on request", async () => {
      const job = {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: name("job"), namespace: "default" },
        spec: {
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
          },
        },
      };
      const input = group(name("job")) + text(job);
      const { code, stdout } = await world.live("apply - --wait-for-jobs", input);
      expect(stdout).toContain("1 created");
      expect(code).toBe(0);
      const ended = await world.live("status -", input);
      expect(ended.stdout).toContain("Current: Job has completed, 1 succeeded");
      await world.live("destroy -", input);
    });

    it("a load balancer is not waited for when it says so", async () => {
      const service = {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
          name: name("lb"),
          namespace: "default",
          annotations: { "keelson.dev/wait": "none" },
        },
        spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
      };
      const input = group(name("lb")) + text(service);
      expect((await world.live("apply -", input)).code).toBe(0);
      expect((await world.live("destroy -", input)).code).toBe(0);
    });
  });
}

const definitionKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
} as const;
const waitingColor = "#fdf0c2";
const readyColor = "#d3f0d8";
const one = { namespace: "default", name: "one" };

function colorOf(dot: string): string {
  return /label=.*fillcolor="([#\w]+)"/.exec(dot)?.[1] ?? dot;
}

function patchStatus(cluster: Cluster, object: KubernetesObject, status: object): Promise<unknown> {
  const { apiVersion, kind, metadata } = object;
  const { name = "", namespace = "" } = metadata;
  return cluster.patch({ apiVersion, kind, name, namespace }, "merge", { status } as never);
}

/** Resolves when an object is there, as soon as its kind is served. */
async function appeared(
  cluster: Cluster,
  apiVersion: string,
  kind: string,
  name: string,
): Promise<KubernetesObject> {
  const abort = new AbortController();
  try {
    await served(cluster, { apiVersion, kind });
    const watching = { namespace: "default", signal: abort.signal };
    for await (const event of cluster.watch({ apiVersion, kind }, watching)) {
      const objects =
        event.kind === "snapshot" ? event.objects : "object" in event ? [event.object] : [];
      const found = objects.find(({ metadata }) => metadata.name === name);
      if (found !== undefined) return found;
    }
    throw new Error(`${kind} ${name} never came`);
  } finally {
    abort.abort();
  }
}
