import { setTimeout as pause } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { type ExampleProcess, startExample } from "./example-process.ts";
import { group, LiveWorld, served } from "./live-world.ts";

const folder = join(import.meta.dirname, "../../examples/resource-claims");
const apiVersion = "smith.atlassian.com/v1";
const secrets = { apiVersion: "v1", kind: "Secret" };
const namespace = "default";

/** The example controller of claims with everything that the command line does; on any served cluster. */
export function claimScenarios(kubeconfig: () => string): void {
  let world: LiveWorld;
  let controller: ExampleProcess;
  const started: ExampleProcess[] = [];
  const start = (): ExampleProcess => {
    const env = { KUBECONFIG: kubeconfig(), HOME: world.home, RESOURCE_CLAIMS_KEY: "test" };
    const process = startExample("resource-claims/controller.js", env);
    started.push(process);
    return process;
  };
  const kinds = readFileSync(join(folder, "definitions.yaml"), "utf8");
  const inventory = (name: string): string => group(`claims-${name}`);
  const claim = (name: string, spec: object, metadata: object = {}): string =>
    `${JSON.stringify({ apiVersion, kind: "ResourceClaim", metadata: { name, namespace, ...metadata }, spec })}\n---\n`;
  const boundName = async (cluster: Cluster, name: string): Promise<string> =>
    String(
      fieldAt(
        await cluster.get({
          apiVersion,
          kind: "ResourceBinding",
          namespace,
          name: `binding-for-${name}`,
        }),
        "status",
        "secretName",
      ),
    );
  const secret = (cluster: Cluster, name: string): Promise<KubernetesObject | undefined> =>
    cluster.find({ apiVersion: "v1", kind: "Secret", namespace, name });

  beforeAll(async () => {
    world = new LiveWorld(kubeconfig());
    const { code, stderr } = await world.live("apply -", `${inventory("kinds")}${kinds}`);
    expect(stderr).not.toContain("error");
    expect(code).toBe(0);
    await world.look(async (cluster) => {
      for (const kind of ["ResourceClaim", "ResourceBinding"])
        await served(cluster, { apiVersion, kind });
    });
    controller = start();
    await controller.logged('"msg":"leading"');
  });
  afterEach(async () => {
    // The next test must not find what goes with these a moment later.
    await world.look(async (cluster) => {
      const claims = { apiVersion, kind: "ResourceClaim" };
      const { items } = await cluster.list(claims, { namespace });
      const gone = new Set(items.map(({ metadata }) => metadata.uid));
      await cluster.deleteCollection(claims, { namespace });
      for (const kind of [{ apiVersion, kind: "ResourceBinding" }, secrets])
        await until(cluster, kind, (objects) =>
          objects.every(({ metadata }) =>
            (metadata.ownerReferences ?? []).every(({ uid }) => !gone.has(uid)),
          ),
        );
    });
  });
  afterAll(async () => {
    for (const { child } of started) child.kill("SIGTERM");
    await Promise.all(started.map(({ exited }) => exited));
    await world.live("destroy -", inventory("kinds") + kinds);
    world.remove();
  });

  describe("the controller of claims", () => {
    it("binds the claim of its README, and an apply waits for that", async () => {
      const text = readFileSync(join(folder, "claim.yaml"), "utf8");
      const { code, stdout } = await world.live("apply -", `${inventory("readme")}${text}`);
      expect(stdout).toContain("1 created");
      expect(code).toBe(0);
      await world.look(async (cluster) => {
        const name = await boundName(cluster, "db");
        expect(name).toMatch(/^db-[0-9a-f]{20}$/);
        const { data } = (await secret(cluster, name)) as { data?: Record<string, string> };
        const plain = Object.fromEntries(
          Object.entries(data ?? {}).map(([key, value]) => [
            key,
            Buffer.from(value, "base64").toString(),
          ]),
        );
        expect(plain).toEqual({
          username: "db",
          host: "db.example.com",
          port: "5432",
          password: expect.stringMatching(/^[\w-]{43}$/),
        });
      });
      const status = await world.live("status -", `${inventory("readme")}${text}`);
      expect(status.stdout).toContain("Current: ResourceBinding binding-for-db belongs to it");
    });

    it("names outputs in all three modes, Secrets and ConfigMaps", async () => {
      const input =
        inventory("modes") +
        claim("random", { secretNameMode: "Random" }) +
        claim("fixed", { secretNameMode: "Fixed", secretName: "my-secret" }) +
        claim("map", { secretNameMode: "ContentsHash", output: "ConfigMap" });
      expect((await world.live("apply -", input)).code).toBe(0);
      await world.look(async (cluster) => {
        const random = await boundName(cluster, "random");
        expect(random).toMatch(/^random-[0-9a-f]{16}$/);
        expect(await secret(cluster, random)).toBeDefined();
        expect(await boundName(cluster, "fixed")).toBe("my-secret");
        expect(await secret(cluster, "my-secret")).toBeDefined();
        const name = await boundName(cluster, "map");
        const map = await cluster.get({ apiVersion: "v1", kind: "ConfigMap", namespace, name });
        expect(map["data"]).toEqual({ username: "map" });
      });
    });

    it("tells a claim that asks for what there is not, and whoever waits for it", async () => {
      const input = inventory("wrong") + claim("wrong", { secretNameMode: "Guess" });
      const { code, stdout } = await world.live("apply -", input);
      expect(stdout).toContain(
        'spec.secretNameMode is "Guess", which is no way to name an output. Write Random, ContentsHash, Fixed.',
      );
      expect(code).toBe(3);
      const better = inventory("wrong") + claim("wrong", { secretNameMode: "Random" });
      expect((await world.live("apply -", better)).code).toBe(0);
    });

    it("puts right what somebody deletes, and cleans up after a claim", async () => {
      const input = inventory("repair") + claim("repair", { secretNameMode: "ContentsHash" });
      await world.live("apply -", input);
      await world.look(async (cluster) => {
        const name = await boundName(cluster, "repair");
        const kind = secrets;
        const before = await cluster.get({ ...kind, namespace, name });
        await cluster.delete({ ...kind, namespace, name });
        await until(cluster, kind, (objects) =>
          objects.some(
            ({ metadata }) => metadata.name === name && metadata.uid !== before.metadata.uid,
          ),
        );
        expect((await world.live("destroy -", input)).code).toBe(0);
        await until(
          cluster,
          kind,
          (objects) => !objects.some(({ metadata }) => metadata.name === name),
        );
        const bindings = { apiVersion, kind: "ResourceBinding" };
        await until(cluster, bindings, (objects) => objects.length === 0);
      });
    });

    it.each(["Random", "ContentsHash"])(
      "rotates an output (%s): at no moment a binding names one that is not there",
      async (mode) => {
        const spec = { secretNameMode: mode, rotation: 1 };
        await world.live("apply -", inventory("rotate") + claim("rotate", spec));
        await world.look(async (cluster) => {
          const history = await record(cluster, async () => {
            for (const rotation of [2, 3, 4]) {
              const before = await boundName(cluster, "rotate");
              await cluster.patch(
                { apiVersion, kind: "ResourceClaim", namespace, name: "rotate" },
                "merge",
                { spec: { rotation } },
              );
              await until(
                cluster,
                secrets,
                (objects) => !objects.some(({ metadata }) => metadata.name === before),
              );
            }
          });
          expect(history.names.length).toBe(4);
          expect(history.violations).toEqual([]);
        });
      },
    );

    it("a rotation goes on after kill -9, by the process that takes over", async () => {
      const spec = { secretNameMode: "Random", rotation: 1 };
      await world.live("apply -", inventory("kill") + claim("kill", spec));
      const next = start();
      await next.logged("another process leads");
      await world.look(async (cluster) => {
        const before = await boundName(cluster, "kill");
        const history = await record(cluster, async () => {
          await cluster.patch(
            { apiVersion, kind: "ResourceClaim", namespace, name: "kill" },
            "merge",
            { spec: { rotation: 2 } },
          );
          controller.child.kill("SIGKILL");
          await controller.exited;
          await next.logged('"msg":"leading"');
          await next.logged('"claim":"default/kill"');
          await until(
            cluster,
            secrets,
            (objects) => !objects.some(({ metadata }) => metadata.name === before),
          );
        });
        expect(history.violations).toEqual([]);
        const name = await boundName(cluster, "kill");
        const outputs = await cluster.list(secrets, {
          namespace,
          labelSelector: "keelson.dev/output-of",
        });
        expect(outputs.items.map(({ metadata }) => metadata.name)).toEqual([name]);
      });
      controller = next;
    });
  });
}

/** Resolves when the objects of a kind are as wished. */
async function until(
  cluster: Cluster,
  kind: ObjectKind,
  isDone: (objects: readonly KubernetesObject[]) => boolean,
): Promise<void> {
  const abort = new AbortController();
  const objects = new Map<string, KubernetesObject>();
  for await (const event of cluster.watch(kind, { namespace, signal: abort.signal })) {
    if (event.kind === "snapshot") {
      objects.clear();
      for (const object of event.objects) objects.set(object.metadata.name ?? "", object);
    } else if (event.kind === "deleted") objects.delete(event.object.metadata.name ?? "");
    else if ("object" in event) objects.set(event.object.metadata.name ?? "", event.object);
    if (isDone([...objects.values()])) break;
  }
  abort.abort();
}

interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Change {
  readonly version: bigint;
  readonly kind: string;
  readonly name: string;
  readonly object: KubernetesObject | undefined;
}

/**
 * Watches Secrets and bindings while something happens, and then goes through all their changes in the
 * order in which the cluster made them.
 */
async function record(
  cluster: Cluster,
  work: () => Promise<void>,
): Promise<{ readonly names: readonly string[]; readonly violations: readonly string[] }> {
  const abort = new AbortController();
  const changes: Change[] = [];
  const begun: Promise<void>[] = [];
  const follow = async (kind: ObjectKind, known: () => void): Promise<void> => {
    for await (const event of cluster.watch(kind, { namespace, signal: abort.signal })) {
      const objects =
        event.kind === "snapshot" ? event.objects : "object" in event ? [event.object] : [];
      for (const object of objects) {
        changes.push({
          version: BigInt(object.metadata.resourceVersion ?? "0"),
          kind: kind.kind,
          name: object.metadata.name ?? "",
          object: event.kind === "deleted" ? undefined : object,
        });
      }
      if (event.kind === "snapshot") known();
    }
  };
  /** Others may hear of a change before these watches do: waits until they have heard of all. */
  const catchUp = async (kind: ObjectKind): Promise<void> => {
    for (;;) {
      const { items } = await cluster.list(kind, { namespace });
      const last = new Map(
        changes.filter((each) => each.kind === kind.kind).map((each) => [each.name, each]),
      );
      const seen = [...last.values()]
        .filter(({ object }) => object !== undefined)
        .map(({ name, version }) => `${name} ${version}`);
      const there = items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
      if (seen.toSorted().join() === there.toSorted().join()) return;
      await pause(20);
    }
  };
  const watched = [secrets, { apiVersion, kind: "ResourceBinding" }];
  const ended = watched.map((kind) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(promise);
    return follow(kind, resolve).catch(() => undefined);
  });
  await Promise.all(begun);
  await work();
  for (const kind of watched) await catchUp(kind);
  abort.abort();
  await Promise.all(ended);
  return replay(changes.sort((left, right) => (left.version < right.version ? -1 : 1)));
}

function replay(changes: readonly Change[]): {
  readonly names: readonly string[];
  readonly violations: readonly string[];
} {
  const secrets = new Set<string>();
  const bindings = new Map<string, string>();
  const names: string[] = [];
  const violations: string[] = [];
  for (const { kind, name, object, version } of changes) {
    const named = fieldAt(object, "status", "secretName");
    if (kind === "Secret") {
      if (object === undefined) secrets.delete(name);
      else secrets.add(name);
    } else if (typeof named === "string") {
      bindings.set(name, named);
      if (names.at(-1) !== named) names.push(named);
    } else bindings.delete(name);
    for (const [binding, output] of bindings)
      if (!secrets.has(output))
        violations.push(`${version}: ${binding} names ${output}, which is not there`);
  }
  return { names, violations };
}
