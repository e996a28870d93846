import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, connectTo, selectCluster } from "../../src/cluster/index.ts";
import { ensureDefinition } from "../../src/inventory/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import { writeOutput } from "../../src/outputs/index.ts";
import { serveInMemory, type ServedSandbox } from "../../src/sandbox/serve-sandbox.ts";
import { keelsonScript } from "../built-package.ts";
import { bundle, isReady } from "./bundle-scenarios.ts";
import { rightsObjects } from "./rights-objects.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };

function chain(name: string): string {
  const one = (index: number): string => `
  - name: r${index}
    ${index === 0 ? "dependsOn: []" : `references: [{ name: before, resource: r${index - 1}, path: data.value }]`}
    spec:
      object:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: ${name}-${index} }
        data: { value: "${index === 0 ? "0" : `!{before}${index}`}" }`;
  return bundle(name, one(0), one(1), one(2));
}

/** A claim, and an object that names its output. */
function follower(name: string): string {
  return bundle(
    name,
    `
  - name: claim
    spec:
      object:
        apiVersion: killed.example.com/v1
        kind: ResourceClaim
        metadata: { name: ${name} }
        spec: { secretNameMode: ContentsHash }
  - name: user
    references: [{ name: secret, resource: claim, modifier: output }]
    spec:
      object:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: ${name}-user }
        data: { secret: "!{secret}" }`,
  );
}

const definitions = readObjectsFromText(
  "definitions.yaml",
  readFileSync(
    new URL("../../examples/resource-claims/definitions.yaml", import.meta.url),
    "utf8",
  ).replaceAll(/smith\.atlassian\.com(?!\/Cr)/g, "killed.example.com"),
).objects;

describe("a controller that is killed", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-controller-"));
  const kubeconfig = join(folder, "kubeconfig");
  let served: ServedSandbox;
  let cluster: Cluster;
  const running = new Set<ChildProcess>();
  /** What processes said that ended by themselves. */
  const ended: string[] = [];
  /** What was done to objects of bundles and to bundles, in order: `ADDED b1-0`. */
  const history: string[] = [];
  /** Every moment at which something referred to a Secret that was not there. */
  const dangling: string[] = [];
  let onWrite: (() => void) | undefined;

  beforeAll(async () => {
    served = await serveInMemory();
    const secrets = new Set<string>();
    const uses = new Map<string, string>();
    served.sandbox.context.store.subscribe(({ type, resource, stored }) => {
      if (resource === "/secrets") {
        if (type === "DELETED") secrets.delete(stored.name);
        else secrets.add(stored.name);
      }
      if (resource === "/configmaps" && stored.name.endsWith("-user")) {
        const secret = fieldAt(stored.object, "data", "secret");
        if (type === "DELETED" || typeof secret !== "string") uses.delete(stored.name);
        else uses.set(stored.name, secret);
      }
      for (const [user, secret] of uses)
        if (!secrets.has(secret)) dangling.push(`${user} refers to ${secret}`);
      if (!/^(?:\/configmaps|\/secrets|smith\.atlassian\.com\/)/.test(resource)) return;
      history.push(`${type} ${stored.name}`);
      onWrite?.();
    });
    writeFileSync(kubeconfig, served.kubeconfig);
    const selection = await selectCluster({ kubeconfig, env: {}, home: folder });
    if (selection === undefined) throw new Error("no cluster");
    cluster = connectTo(selection.settings);
    for (const object of rightsObjects("default")) await cluster.create(object);
  });
  afterAll(async () => {
    await Promise.all([...running].map((child) => end(child, "SIGKILL")));
    await cluster.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ensureDefinitions(): Promise<void> {
    for (const { object } of definitions) await ensureDefinition(cluster, object);
  }

  /** What a controller of claims does, once the claim is there. */
  async function fulfil(name: string, password: string): Promise<string> {
    const kind = { apiVersion: "killed.example.com/v1", kind: "ResourceClaim" };
    const [definition] = definitions;
    if (definition === undefined) throw new Error("no definition");
    for await (const event of cluster.watch(kind, {
      namespace: "default",
      fieldSelector: `metadata.name=${name}`,
      signal: AbortSignal.timeout(90_000),
    })) {
      const claim =
        event.kind === "snapshot" ? event.objects[0] : "object" in event ? event.object : undefined;
      if (claim === undefined) continue;
      const written = await writeOutput({
        cluster,
        claim,
        definition: definition.object,
        contents: { kind: "Secret", data: { password } },
        manager: "claims",
      });
      if (written.kind === "written") return written.output.metadata.name ?? "";
    }
    throw new Error("there was no claim");
  }

  /** A controller in a process of its own; resolves when it leads. */
  async function start(...more: readonly string[]): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [keelsonScript, "controller", "--install", "--kubeconfig", kubeconfig, ...more],
      {
        env: { ...process.env, NODE_OPTIONS: "", HOME: folder },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    running.add(child);
    let said = "";
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.stdout.on("data", (data: Buffer) => {
      said += data.toString();
      if (said.includes('"msg":"leading"')) resolve();
    });
    child.stderr.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const timer = setTimeout(() => {
      reject(new Error(`it did not come to lead: ${said}`));
    }, 90_000);
    child.once("exit", (code) => {
      running.delete(child);
      if (code !== null && code !== 0) ended.push(`exit ${code}: ${said}`);
      reject(new Error(`it ended before it led: ${said}`));
    });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
    return child;
  }

  /** Ends a process, which must be running, and must end. */
  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (!running.has(child)) throw new Error(`it had ended by itself: ${ended.join("; ")}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      reject(new Error(`it did not end by ${signal}`));
    }, 90_000);
    child.once("exit", () => {
      resolve();
    });
    child.kill(signal);
    await promise;
    clearTimeout(timer);
  }

  async function until(
    name: string,
    isRight: (object: KubernetesObject | undefined) => boolean,
  ): Promise<void> {
    let last: KubernetesObject | undefined;
    for await (const event of cluster.watch(bundleKind, {
      namespace: "default",
      fieldSelector: `metadata.name=${name}`,
      signal: AbortSignal.timeout(90_000),
    })) {
      if (event.kind === "snapshot") last = event.objects[0];
      else if (event.kind === "deleted") last = undefined;
      else if (event.kind !== "bookmark") last = event.object;
      if (isRight(last)) return;
    }
    throw new Error(`${name} never came to be as expected: ${JSON.stringify(last)}`);
  }

  /** Kills the process with the write of a number, counted from now; false: it came to rest before. */
  async function killAt(child: ChildProcess, write: number, rest: Promise<void>): Promise<boolean> {
    let count = 0;
    let killing: Promise<void> | undefined;
    const killed = new Promise<void>((resolve, reject) => {
      onWrite = () => {
        count++;
        if (count !== write) return;
        onWrite = undefined;
        killing = end(child, "SIGKILL");
        killing.then(resolve, reject);
      };
    });
    await Promise.race([killed, rest]);
    onWrite = undefined;
    // The write that brings the rest may also be the one that kills, and be heard of before that is over.
    await killing;
    return killing !== undefined;
  }

  it("leaves nothing undone and nothing done twice, whichever write was its last", async () => {
    let child = await start();
    for (let write = 1; ; write++) {
      const name = `k${write}`;
      const [object] = readObjectsFromText("bundle.yaml", chain(name)).objects;
      if (object === undefined) throw new Error("no bundle");
      history.length = 0;
      const rest = until(name, isReady);
      const killing = killAt(child, write + 1, rest);
      await cluster.create(object.object);
      const isKilled = await killing;
      if (isKilled) child = await start();
      await rest;
      const made = history.filter((event) => event.startsWith("ADDED")).sort();
      expect(made).toEqual([
        `ADDED ${name}`,
        `ADDED ${name}-0`,
        `ADDED ${name}-1`,
        `ADDED ${name}-2`,
      ]);
      const last = await cluster.get({ apiVersion: "v1", kind: "ConfigMap", name: `${name}-2` });
      expect(last).toMatchObject({ data: { value: "012" } });
      if (!isKilled) {
        // It came to rest before that many writes: every one of them was tried.
        expect(write).toBeGreaterThan(5);
        break;
      }
    }
    await end(child, "SIGTERM");
  }, 300_000);

  it("moves dependents to the next output of a claim, whichever write was its last", async () => {
    await ensureDefinitions();
    let child = await start();
    for (let write = 1; ; write++) {
      const name = `o${write}`;
      const [object] = readObjectsFromText("bundle.yaml", follower(name)).objects;
      if (object === undefined) throw new Error("no bundle");
      await cluster.create(object.object);
      const first = await fulfil(name, "one");
      await until(name, isReady);
      dangling.length = 0;
      const moved = until(
        name,
        (found) => isReady(found) && !JSON.stringify(found?.["status"]).includes(first),
      );
      const killing = killAt(child, write, moved);
      const second = await fulfil(name, "two");
      const isKilled = await killing;
      if (isKilled) child = await start();
      await moved;
      expect(dangling).toEqual([]);
      const user = await cluster.get({ apiVersion: "v1", kind: "ConfigMap", name: `${name}-user` });
      expect(user).toMatchObject({ data: { secret: second } });
      expect(await cluster.find({ apiVersion: "v1", kind: "Secret", name: first })).toBeUndefined();
      if (!isKilled) {
        expect(write).toBeGreaterThan(2);
        break;
      }
    }
    await end(child, "SIGTERM");
  }, 300_000);

  it("releases what is protected and what that depends on, whichever write was its last", async () => {
    let child = await start();
    for (let write = 1; ; write++) {
      const name = `p${write}`;
      const text = chain(name).replace(
        `{ name: ${name}-1 }`,
        `{ name: ${name}-1, annotations: { keelson.dev/protect: "true" } }`,
      );
      const [object] = readObjectsFromText("bundle.yaml", text).objects;
      if (object === undefined) throw new Error("no bundle");
      await cluster.create(object.object);
      await until(name, isReady);
      history.length = 0;
      const rest = until(name, (found) => found === undefined);
      const killing = killAt(child, write, rest);
      await cluster.delete({ ...bundleKind, name });
      const isKilled = await killing;
      if (isKilled) child = await start();
      await rest;
      const gone = history.filter((event) => event.startsWith("DELETED"));
      expect(gone).toEqual([`DELETED ${name}-2`, `DELETED ${name}`]);
      for (const index of [0, 1]) {
        const kept = { apiVersion: "v1", kind: "ConfigMap", name: `${name}-${index}` };
        const { metadata } = await cluster.get(kept);
        expect([metadata.ownerReferences ?? [], metadata.labels ?? {}]).toEqual([[], {}]);
      }
      if (!isKilled) {
        expect(write).toBeGreaterThan(4);
        break;
      }
    }
    await end(child, "SIGTERM");
  }, 300_000);

  it("takes down in order, whichever write was its last, and hands over to one that stands by", async () => {
    let leader = await start();
    for (let write = 1; ; write++) {
      const name = `d${write}`;
      const [object] = readObjectsFromText("bundle.yaml", chain(name)).objects;
      if (object === undefined) throw new Error("no bundle");
      await cluster.create(object.object);
      await until(name, isReady);
      // It stands by while the other one leads, and leads when that one has been killed.
      const standing = start();
      history.length = 0;
      const rest = until(name, (found) => found === undefined);
      const killing = killAt(leader, write, rest);
      await cluster.delete({ ...bundleKind, name });
      const isKilled = await killing;
      if (!isKilled) await end(leader, "SIGTERM");
      leader = await standing;
      await rest;
      const gone = history.filter((event) => event.startsWith("DELETED"));
      expect(gone).toEqual(
        [2, 1, 0].map((index) => `DELETED ${name}-${index}`).concat(`DELETED ${name}`),
      );
      if (!isKilled) break;
    }
    await end(leader, "SIGTERM");
  }, 300_000);

  it("writes nothing when it was only stopped, and another one leads by now", async () => {
    const first = await start("--lease-duration", "3s");
    first.kill("SIGSTOP");
    const second = await start("--lease-duration", "3s");
    const [stopped] = readObjectsFromText("bundle.yaml", chain("stopped")).objects;
    if (stopped === undefined) throw new Error("no bundle");
    await cluster.create(stopped.object);
    await until("stopped", isReady);
    const before = history.length;
    const exited = new Promise<unknown>((resolve) => {
      first.once("exit", resolve);
    });
    ended.length = 0;
    first.kill("SIGCONT");
    expect(await exited).toBe(1);
    expect(ended.join()).toContain("no longer leads");
    expect(ended.join()).toContain("has it now");
    expect(history.slice(before)).toEqual([]);
    await end(second, "SIGTERM");
  });
});
