import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import { writeOutput } from "../../src/outputs/index.ts";
import { bundle, isReady } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
const claimKind = { apiVersion: "rotation.example.com/v1", kind: "ResourceClaim" };
/** The kinds of the example, in a group of their own: others may try the example at the same time. */
const definitions = readObjectsFromText(
  "definitions.yaml",
  readFileSync(
    new URL("../../examples/resource-claims/definitions.yaml", import.meta.url),
    "utf8",
  ).replaceAll(/smith\.atlassian\.com(?!\/Cr)/g, "rotation.example.com"),
).objects.map(({ object }) => object);

function claim(name: string, mode: string): string {
  return `
  - name: claim
    spec:
      object:
        apiVersion: rotation.example.com/v1
        kind: ResourceClaim
        metadata: { name: ${name} }
        spec: { secretNameMode: ${mode} }`;
}

function dependent(of: string, index: number): string {
  return `
  - name: dependent-${index}
    references: [{ name: secret, resource: claim, modifier: output, example: some-name }]
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: "${of}-${index}" }
        spec:
          selector: { matchLabels: { app: "${of}-${index}" } }
          template:
            metadata: { labels: { app: "${of}-${index}" } }
            spec:
              containers: [{ name: web, image: "web:1", envFrom: [{ secretRef: { name: "!{secret}" } }] }]`;
}

const secretOf = (deployment: KubernetesObject): unknown =>
  fieldAt(
    deployment,
    "spec",
    "template",
    "spec",
    "containers",
    0,
    "envFrom",
    0,
    "secretRef",
    "name",
  );

/** Everything that happened to some kinds, in the order in which the server did it. */
class History {
  readonly #events: {
    readonly version: number;
    readonly kind: string;
    readonly object: KubernetesObject;
  }[] = [];
  readonly #stop = new AbortController();
  readonly #watching: Promise<unknown>;
  readonly ready: Promise<unknown>;

  constructor({ cluster, namespace }: ControllerWorld) {
    const begun: Promise<void>[] = [];
    const follow = async (apiVersion: string, kind: string, known: () => void): Promise<void> => {
      const { signal } = this.#stop;
      for await (const event of cluster.watch({ apiVersion, kind }, { namespace, signal })) {
        if (event.kind === "snapshot") {
          for (const object of event.objects) this.#add("added", object);
          known();
        } else if (event.kind !== "bookmark") this.#add(event.kind, event.object);
      }
    };
    this.#watching = Promise.all(
      [["v1", "Secret"] as const, ["apps/v1", "Deployment"] as const].map(([apiVersion, kind]) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        begun.push(promise);
        return follow(apiVersion, kind, resolve);
      }),
    );
    this.ready = Promise.all(begun);
  }

  #add(kind: string, object: KubernetesObject): void {
    this.#events.push({ version: Number(object.metadata.resourceVersion), kind, object });
  }

  /** The moments at which a Deployment referred to a Secret that was not there. */
  async danglingReferences(): Promise<readonly string[]> {
    this.#stop.abort();
    await this.#watching;
    const secrets = new Set<string>();
    const uses = new Map<string, string>();
    const found: string[] = [];
    for (const { kind, object } of this.#events.sort(
      (left, right) => left.version - right.version,
    )) {
      const { name = "" } = object.metadata;
      if (object.kind === "Secret") {
        if (kind === "deleted") secrets.delete(name);
        else secrets.add(name);
      } else if (kind === "deleted") uses.delete(name);
      else uses.set(name, String(secretOf(object)));
      for (const [user, secret] of uses)
        if (!secrets.has(secret)) found.push(`${user} refers to ${secret}`);
    }
    return found;
  }
}

/** What a controller of claims does. */
async function fulfil(world: ControllerWorld, name: string, password: string): Promise<string> {
  await world.until(claimKind, name, (object) => object !== undefined);
  const [definition] = definitions;
  if (definition === undefined) throw new Error("no definition");
  const written = await writeOutput({
    cluster: world.cluster,
    claim: await world.get(claimKind.apiVersion, claimKind.kind, name),
    definition,
    contents: { kind: "Secret", data: { password } },
    manager: "claims",
  });
  if (written.kind !== "written") throw new Error(written.kind);
  return written.output.metadata.name ?? "";
}

/** What claims hand on may be replaced; whoever uses it follows, and nobody is left with nothing. */
export function rotationScenarios(kubeconfig: () => string | undefined): void {
  describe("outputs of claims in bundles", () => {
    let world: ControllerWorld;
    beforeAll(async () => {
      world = await ControllerWorld.open(kubeconfig(), [...bundleDefinitions, ...definitions]);
      await world.run([bundleReconciler({ namespace: world.namespace })]);
    });
    afterAll(async () => {
      await world.close();
    });

    for (const [mode, count] of [
      ["ContentsHash", 1],
      ["Random", 10],
      ["ContentsHash", 100],
    ] as const) {
      it(`moves ${count} dependents to the next output (${mode}), and only then lets the old one go`, async () => {
        const name = `r${count}`;
        const history = new History(world);
        await history.ready;
        const dependents = Array.from({ length: count }, (_none, index) => dependent(name, index));
        await world.apply(bundle(name, ...dependents, claim(name, mode)));
        const first = await fulfil(world, name, "one");
        await world.until(bundleKind, name, isReady);
        const before = await world.get("v1", "Secret", first);
        expect(before.metadata.finalizers).toHaveLength(1);
        const second = await fulfil(world, name, "two");
        expect(second).not.toBe(first);
        await world.until(
          { apiVersion: "v1", kind: "Secret" },
          first,
          (object) => object === undefined,
        );
        // It was ready before, too: what it holds is told once the old one is gone.
        const held = JSON.stringify([{ kind: "Secret", name: second }]);
        await world.until(
          bundleKind,
          name,
          (object) =>
            isReady(object) && JSON.stringify(fieldAt(object, "status", "heldOutputs")) === held,
        );
        for (let index = 0; index < count; index++)
          expect(secretOf(await world.get("apps/v1", "Deployment", `${name}-${index}`))).toBe(
            second,
          );
        expect(await history.danglingReferences()).toEqual([]);
        await world.cluster.delete(world.reference(bundleKind.apiVersion, "Bundle", name));
        await world.until(bundleKind, name, (object) => object === undefined);
        await world.until(
          { apiVersion: "v1", kind: "Secret" },
          second,
          (object) => object === undefined,
        );
      }, 300_000);
    }

    it("takes values out of the Secret that a binding names", async () => {
      const taker = `
  - name: taker
    references: [{ name: password, resource: claim, modifier: bindsecret, path: data.password }]
    spec:
      object:
        apiVersion: v1
        kind: Secret
        metadata: { name: copy }
        stringData: { text: "it is !{password}" }`;
      await world.apply(bundle("copies", taker, claim("copied", "ContentsHash")));
      await fulfil(world, "copied", "opensesame");
      const ready = await world.until(bundleKind, "copies", isReady);
      const copy = await world.get("v1", "Secret", "copy");
      expect(fieldAt(copy, "data", "text")).toBe(
        Buffer.from("it is opensesame").toString("base64"),
      );
      expect(JSON.stringify(ready)).not.toContain("opensesame");
    });

    it("do not keep a namespace that is being deleted, whose account can do nothing any more", async () => {
      const going = await ControllerWorld.open(kubeconfig(), [
        ...bundleDefinitions,
        ...definitions,
      ]);
      try {
        const { cluster, namespace } = going;
        await going.run([bundleReconciler({ namespace })]);
        await going.apply(bundle("going", dependent("going", 0), claim("going", "ContentsHash")));
        const output = await fulfil(going, "going", "one");
        await going.until(bundleKind, "going", isReady);
        expect((await going.get("v1", "Secret", output)).metadata.finalizers).toHaveLength(1);
        await going.allow("default", []);
        const reference = { apiVersion: "v1", kind: "Namespace", name: namespace };
        await cluster.delete(reference);
        const isGone = async (): Promise<boolean> => (await cluster.find(reference)) === undefined;
        await expect.poll(isGone, { timeout: 120_000 }).toBe(true);
      } finally {
        await going.close();
      }
    }, 300_000);
  });
}
