/** A cluster with definitions and running controllers, for scenarios on the sandbox and on a real one. */
import { randomBytes } from "node:crypto";
import {
  type Cluster,
  connectTo,
  fixedCredentials,
  type ObjectKind,
  type ObjectReference,
} from "../../src/cluster/index.ts";
import { jsonLog, type Reconciler, runControllers } from "../../src/controller/index.ts";
import { ensureDefinition } from "../../src/inventory/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { inProcessCluster } from "../../src/sandbox/in-process-cluster.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { everything, type Rights, rightsObjects } from "./rights-objects.ts";

const longestWaitMs = 90_000;
/** Longer than a busy machine may hold up a process: a world runs one controller at a time. */
const leaseSeconds = 60;

export interface RunningControllers {
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

export class ControllerWorld {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Undefined on a cluster of a kubeconfig. */
  readonly sandbox: Sandbox | undefined;
  readonly #close: () => Promise<void>;
  readonly #running: RunningControllers[] = [];

  private constructor(
    cluster: Cluster,
    sandbox: Sandbox | undefined,
    namespace: string,
    close: () => Promise<void>,
  ) {
    this.cluster = cluster;
    this.sandbox = sandbox;
    this.namespace = namespace;
    this.#close = close;
  }

  /**
   * A sandbox of its own, or a namespace of its own in the cluster of a kubeconfig; what its account
   * `default` may do there: everything, unless it is said.
   */
  static async open(
    kubeconfig: string | undefined,
    definitions: readonly KubernetesObject[],
    rights: readonly Rights[] = [everything],
  ): Promise<ControllerWorld> {
    const namespace = `test-${randomBytes(5).toString("hex")}`;
    let cluster: Cluster;
    let sandbox: Sandbox | undefined;
    if (kubeconfig === undefined) {
      sandbox = openSandbox({});
      cluster = inProcessCluster(sandbox, { namespace });
    } else cluster = connectTo(await settingsOf(kubeconfig), { namespace });
    const reference = { apiVersion: "v1", kind: "Namespace", name: namespace };
    const { apiVersion, kind, name } = reference;
    await cluster.create({ apiVersion, kind, metadata: { name } });
    for (const definition of definitions)
      await ensureDefinition(cluster, definition, AbortSignal.timeout(longestWaitMs));
    const world = new ControllerWorld(cluster, sandbox, namespace, async () => {
      if ((await cluster.find(reference)) !== undefined) await cluster.delete(reference);
      await cluster.close();
    });
    await world.until({ apiVersion: "v1", kind: "ServiceAccount" }, "default", isThere);
    await world.allow("default", rights);
    return world;
  }

  /** Lets a service account do something in the namespace of this world, and nothing else by this. */
  async allow(account: string, rights: readonly Rights[]): Promise<void> {
    for (const object of rightsObjects(this.namespace, account, rights))
      await this.cluster.apply(object, { fieldManager: "test", force: true });
  }

  /** The API as a service account of this namespace, which is made if it is not there. */
  async as(account: string): Promise<Cluster> {
    const { namespace } = this;
    await this.cluster.apply(
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account, namespace } },
      { fieldManager: "test" },
    );
    const { token } = await this.cluster.serviceAccountToken({ namespace, name: account });
    if (this.cluster.as === undefined) throw new Error("nobody can be anybody else");
    return this.cluster.as(fixedCredentials({ authorization: `Bearer ${token}` }));
  }

  /** Begins to run controllers; resolves when they lead. */
  async run(
    reconcilers: readonly Reconciler[],
    cluster: Cluster = this.cluster,
    holder = "test",
  ): Promise<RunningControllers> {
    const controller = new AbortController();
    const leads = Promise.withResolvers<void>();
    const lines: string[] = [];
    const ended = runControllers({
      cluster,
      reconcilers,
      signal: controller.signal,
      holder,
      lease: { namespace: this.namespace, name: "controller" },
      leaseSeconds,
      log: jsonLog({ level: "info", write: (line) => lines.push(line) }),
      onLeading: () => {
        leads.resolve();
      },
    });
    ended.catch((error: unknown) => {
      lines.push(`ended: ${String(error)}\n`);
      leads.reject(error);
    });
    const running: RunningControllers = {
      lines,
      stop: async () => {
        controller.abort();
        await ended.catch(() => undefined);
      },
    };
    this.#running.push(running);
    await leads.promise;
    return running;
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop()));
    await this.#close();
  }

  /** Applies objects written in YAML, in the namespace of this world. */
  async apply(
    text: string,
    manager = "test",
    cluster: Cluster = this.cluster,
  ): Promise<readonly KubernetesObject[]> {
    const answers: KubernetesObject[] = [];
    for (const { object } of readObjectsFromText("test.yaml", text).objects) {
      const { object: answer } = await cluster.apply(object, {
        fieldManager: manager,
        force: true,
      });
      answers.push(answer);
    }
    return answers;
  }

  reference(apiVersion: string, kind: string, name: string): ObjectReference {
    return { apiVersion, kind, namespace: this.namespace, name };
  }

  get(apiVersion: string, kind: string, name: string): Promise<KubernetesObject> {
    return this.cluster.get(this.reference(apiVersion, kind, name));
  }

  find(apiVersion: string, kind: string, name: string): Promise<KubernetesObject | undefined> {
    return this.cluster.find(this.reference(apiVersion, kind, name));
  }

  /** Objects by texts such as `apps/v1 Deployment web`. */
  findAll(texts: readonly string[] = []): Promise<readonly (KubernetesObject | undefined)[]> {
    return Promise.all(
      texts.map((text) => {
        const [apiVersion = "", kind = "", name = ""] = text.split(" ");
        return this.find(apiVersion, kind, name);
      }),
    );
  }

  /** The last lines of all controllers. */
  #log(): string {
    return this.#running.flatMap(({ lines }) => lines.slice(-20)).join("");
  }

  /** Resolves when an object is as it should be; fails with how it last was. */
  async until(
    kind: ObjectKind,
    name: string,
    isRight: (object: KubernetesObject | undefined) => boolean,
  ): Promise<KubernetesObject | undefined> {
    let last: KubernetesObject | undefined;
    const signal = AbortSignal.timeout(longestWaitMs);
    for await (const event of this.cluster.watch(kind, {
      namespace: this.namespace,
      fieldSelector: `metadata.name=${name}`,
      signal,
    })) {
      if (event.kind === "snapshot") last = event.objects[0];
      else if (event.kind === "deleted") last = undefined;
      else if (event.kind !== "bookmark") last = event.object;
      else continue;
      if (isRight(last)) return last;
    }
    throw new Error(
      `${kind.kind} ${name} never came to be as expected: ${JSON.stringify(last, null, 2)}\n${this.#log()}`,
    );
  }
}

function isThere(object: KubernetesObject | undefined): boolean {
  return object !== undefined;
}
