import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../../src/cluster/index.ts";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import {
  type OutputContents,
  outputOfLabel,
  type OutputResult,
  writeOutput,
} from "../../src/outputs/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { type Decide, FaultyTransport } from "./faulty-transport.ts";

const annotations = {
  "smith.atlassian.com/TprReadyWhenExistsKind": "Binding",
  "smith.atlassian.com/TprReadyWhenExistsVersion": "example.com/v1",
  "smith.atlassian.com/TprOutputNameModeField": "spec.mode",
  "smith.atlassian.com/TprOutputNameSetterField": "spec.name",
  "smith.atlassian.com/TprOutputNameField": "status.secretName",
};

function definition(kind: string, subresources: object = {}): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com`, annotations: kind === "Claim" ? annotations : {} },
    spec: {
      group: "example.com",
      names: { kind, plural },
      scope: "Namespaced",
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, subresources },
      ],
    },
  };
}

const secret = (password: string, type?: string): OutputContents => ({
  kind: "Secret",
  data: { password },
  type,
});
const claimKind = { apiVersion: "example.com/v1", kind: "Claim", namespace: "default", name: "db" };
const bindingKind = { ...claimKind, kind: "Binding" };
const user = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "user" };
const finalizer = "keelson.dev/bundle-test";

/**
 * A claim, its controller, and somebody who uses the output. After every single write it is checked
 * that the binding and the user name outputs that are there.
 */
class OutputWorld {
  readonly sandbox: Sandbox = openSandbox({});
  readonly cluster: Cluster = this.client();
  readonly violations: string[] = [];
  readonly #objects = new Map<string, KubernetesObject>();

  constructor() {
    this.sandbox.context.store.subscribe(({ type, resource, stored }) => {
      const key = `${resource} ${stored.name}`;
      if (type === "DELETED") this.#objects.delete(key);
      else this.#objects.set(key, stored.object);
      const named = [
        fieldAt(this.#objects.get("example.com/bindings db"), "status", "secretName"),
        fieldAt(this.#objects.get("/configmaps user"), "data", "ref"),
      ];
      for (const name of named)
        if (typeof name === "string" && !this.#objects.has(`/secrets ${name}`))
          this.violations.push(`${type} ${key}: ${name} is named and not there`);
    });
  }

  client(decide: Decide = () => undefined): Cluster {
    return clusterOver(new FaultyTransport(new InProcessTransport(this.sandbox), decide));
  }

  async open(mode: string, statusApart = false): Promise<void> {
    const parts = statusApart ? { status: {} } : {};
    for (const each of [definition("Claim"), definition("Binding", parts)])
      await this.cluster.create(each);
    // Until the kinds are served.
    for (let tries = 0; tries < 1_000; tries++) {
      const index = await this.cluster.refreshResources();
      if (index.find(claimKind) !== undefined && index.find(bindingKind) !== undefined) break;
      await nextTurn();
    }
    const { apiVersion, kind, namespace, name } = claimKind;
    await this.cluster.create({
      apiVersion,
      kind,
      metadata: { namespace, name },
      spec: { mode, name: "given" },
    });
  }

  async write(
    contents: OutputContents,
    cluster: Cluster = this.cluster,
    random = "r0",
  ): Promise<OutputResult> {
    const claim = await this.cluster.get(claimKind);
    return writeOutput({
      cluster,
      claim,
      definition: definition("Claim"),
      contents,
      manager: "test",
      random: () => random,
    });
  }

  /** Moves the user to the output that the binding names, and holds that as long as it is used. */
  async follow(): Promise<void> {
    const name = fieldAt(await this.cluster.find(bindingKind), "status", "secretName");
    if (typeof name !== "string") return;
    const place = { apiVersion: "v1", kind: "Secret", namespace: "default" };
    const found = await this.cluster.get({ ...place, name });
    if (!(found.metadata.finalizers ?? []).includes(finalizer))
      await this.#hold(found, [...(found.metadata.finalizers ?? []), finalizer]);
    const { name: userName, ...kind } = user;
    await this.cluster.apply(
      {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { namespace: kind.namespace, name: userName },
        data: { ref: name },
      },
      { fieldManager: "user" },
    );
    for (const other of (await this.cluster.list(place, { namespace: "default" })).items)
      if (other.metadata.name !== name && other.metadata.finalizers !== undefined)
        await this.#hold(other, []);
  }

  async outputs(): Promise<readonly string[]> {
    const all = await Promise.all(
      ["Secret", "ConfigMap"].map((kind) =>
        this.cluster.list({ apiVersion: "v1", kind }, { labelSelector: outputOfLabel }),
      ),
    );
    return all.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? "")).sort();
  }

  async named(): Promise<unknown> {
    return fieldAt(await this.cluster.find(bindingKind), "status", "secretName");
  }

  requireOrder(): void {
    if (this.violations.length > 0) throw new Error(this.violations.join("\n"));
  }

  close(): void {
    this.sandbox.close();
  }

  async #hold(object: KubernetesObject, finalizers: readonly string[]): Promise<void> {
    const { namespace = "", name = "" } = object.metadata;
    const reference = { apiVersion: "v1", kind: "Secret", namespace, name };
    await this.cluster.patch(reference, "merge", { metadata: { finalizers: [...finalizers] } });
  }
}

describe("the output of a claim", () => {
  let world: OutputWorld;
  afterEach(() => {
    world.close();
    world.requireOrder();
  });

  it.each([["Random"], ["ContentsHash"], ["Fixed"]])(
    "%s: is written once, then nothing until something changes",
    async (mode) => {
      world = new OutputWorld();
      await world.open(mode);
      const first = await world.write(secret("one"));
      expect(first).toMatchObject({ kind: "written", leaving: [] });
      const calls: string[] = [];
      const counting = world.client((_call, { method, path }) => {
        calls.push(`${method} ${path}`);
        return undefined;
      });
      expect(await world.write(secret("one"), counting, "r1")).toMatchObject(first);
      // Besides what tells which kinds there are.
      expect(calls.filter((call) => call.includes("/namespaces/")).sort()).toEqual([
        "GET /api/v1/namespaces/default/configmaps",
        "GET /api/v1/namespaces/default/secrets",
        "GET /apis/example.com/v1/namespaces/default/bindings/db",
      ]);
      const before = await world.named();
      const second = await world.write(secret("two"), world.cluster, "r1");
      expect(second).toMatchObject({
        kind: "written",
        leaving: mode === "Fixed" ? [] : [before],
      });
      expect(await world.outputs()).toEqual([await world.named()]);
      expect((await world.named()) === before).toBe(mode === "Fixed");
    },
  );

  it("goes last, when its user lets go of it", async () => {
    world = new OutputWorld();
    await world.open("ContentsHash");
    await world.write(secret("one"));
    await world.follow();
    const old = await world.named();
    await world.write(secret("two"));
    expect(await world.outputs()).toEqual(
      [String(old), String(await world.named())].toSorted((left, right) => (left < right ? -1 : 1)),
    );
    // An output that only waits to go is neither used again nor deleted twice.
    expect(await world.write(secret("two"))).toMatchObject({ leaving: [old] });
    await world.follow();
    expect(await world.outputs()).toEqual([await world.named()]);
  });

  it("may change its kind", async () => {
    world = new OutputWorld();
    await world.open("ContentsHash");
    await world.write(secret("one"));
    const before = await world.named();
    const result = await world.write({ kind: "ConfigMap", data: { host: "db" } });
    expect(result).toMatchObject({ kind: "written", leaving: [before] });
    expect(await world.outputs()).toEqual([await world.named()]);
    // The world looks for Secrets; this binding names a ConfigMap.
    world.violations.length = 0;
  });

  it("belongs to its claim, and so does the binding", async () => {
    world = new OutputWorld();
    await world.open("Random", true);
    const written = await world.write(secret("one"));
    const { uid } = (await world.cluster.get(claimKind)).metadata;
    const owners = [{ kind: "Claim", name: "db", uid, controller: true }];
    expect(written).toMatchObject({
      output: { metadata: { ownerReferences: owners } },
      binding: { metadata: { ownerReferences: owners }, status: { secretName: "db-r0" } },
    });
  });

  const mistakes: readonly (readonly [
    what: string,
    prepare: (own: OutputWorld) => Promise<unknown>,
    contents: OutputContents,
    expected: string,
  ])[] = [
    [
      "a name of somebody else",
      (own) =>
        own.cluster.create({
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "given", namespace: "default" },
        }),
      secret("one"),
      "outputs.name-taken",
    ],
    [
      "another type under a fixed name",
      (own) => own.write(secret("one")),
      secret("one", "example.com/other"),
      "outputs.fixed-type",
    ],
    [
      "a binding of somebody else",
      (own) =>
        own.cluster.create({
          apiVersion: "example.com/v1",
          kind: "Binding",
          metadata: { name: "db", namespace: "default" },
        }),
      secret("one"),
      "outputs.binding-taken",
    ],
  ];
  it.each(mistakes)("%s is refused and left as it is", async (_what, prepare, contents, code) => {
    world = new OutputWorld();
    await world.open("Fixed");
    await prepare(world);
    const codes = await world.write(contents).then(
      (result) => (result.kind === "refused" ? result.diagnostics.map((each) => each.code) : []),
      (error: unknown) =>
        error instanceof DiagnosticError ? error.diagnostics.map((each) => each.code) : [error],
    );
    expect(codes).toEqual([code]);
  });

  it("a binding whose schema drops the name is an error, not a silent loss", async () => {
    world = new OutputWorld();
    await world.open("Fixed");
    await world.cluster.patch(
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: "bindings.example.com",
      },
      "json",
      [
        {
          op: "replace",
          path: "/spec/versions/0/schema/openAPIV3Schema",
          value: { type: "object" },
        },
      ],
    );
    await expect(world.write(secret("one"))).rejects.toMatchObject({
      diagnostics: [{ detail: expect.stringContaining("not declared in schema") }],
    });
  });

  it("a definition that names no binding is refused", async () => {
    world = new OutputWorld();
    await world.open("Fixed");
    const bare = { ...definition("Claim"), metadata: { name: "claims.example.com" } };
    const result = await writeOutput({
      cluster: world.cluster,
      claim: await world.cluster.get(claimKind),
      definition: bare,
      contents: secret("one"),
      manager: "test",
    });
    expect(result).toMatchObject({
      kind: "refused",
      diagnostics: [{ code: "outputs.no-binding" }],
    });
  });
});

describe("a rotation that is killed at any call", () => {
  for (const mode of ["Random", "ContentsHash", "Fixed"]) {
    for (const statusApart of [false, true]) {
      it(`${mode}${statusApart ? ", with the name in a status that stands apart" : ""}: the next one finishes it`, async () => {
        const kills = ["drop before", "drop after"] as const;
        let mostCalls = 0;
        for (const kill of kills) {
          for (let at = 0; ; at++) {
            const world = new OutputWorld();
            await world.open(mode, statusApart);
            await world.write(secret("one"));
            await world.follow();
            let calls = 0;
            const dying = world.client((call) => {
              calls = call + 1;
              if (call < at) return undefined;
              return call === at ? kill : "drop before";
            });
            const isKilled = await world.write(secret("two"), dying, "r1").then(
              () => false,
              () => true,
            );
            mostCalls = Math.max(mostCalls, calls);
            // The user may move at any time; the next run has its own thoughts about random names.
            if (at % 2 === 0) await world.follow();
            await world.write(secret("two"), world.cluster, "r2");
            await world.follow();
            const place = `${kill} call ${at}`;
            expect(world.violations, place).toEqual([]);
            expect(await world.outputs(), place).toEqual([await world.named()]);
            expect(fieldAt(await world.cluster.get(user), "data", "ref"), place).toBe(
              await world.named(),
            );
            world.close();
            if (!isKilled) break;
          }
        }
        expect(mostCalls).toBeGreaterThan(4);
      });
    }
  }
});
