/** A cluster with definitions and running controllers, for scenarios on the sandbox and on a real one. */
import { randomBytes } from "node:crypto";
import {
  type Cluster,
  clusterOver,
  connect,
  type ObjectKind,
  type ObjectReference,
} from "../../src/cluster/index.ts";
import { jsonLog, type Reconciler, runControllers } from "../../src/controller/index.ts";
import { ensureDefinition } from "../../src/inventory/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import { openSandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { settingsOf } from "../cluster/test-settings.ts";

const longestWaitMs = 90_000;

export interface RunningControllers {
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

export class ControllerWorld {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly #close: () => Promise<void>;
  readonly #running: RunningControllers[] = [];

  private constructor(cluster: Cluster, namespace: string, close: () => Promise<void>) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.#close = close;
  }

  /** A sandbox of its own, or a namespace of its own in the cluster of a kubeconfig. */
  static async open(
    kubeconfig: string | undefined,
    definitions: readonly KubernetesObject[],
  ): Promise<ControllerWorld> {
    const namespace = `test-${randomBytes(5).toString("hex")}`;
    let cluster: Cluster;
    let end = (): void => undefined;
    if (kubeconfig === undefined) {
      const sandbox = openSandbox({});
      cluster = clusterOver(new InProcessTransport(sandbox), { namespace });
      end = () => {
        sandbox.close();
      };
    } else cluster = connect(await settingsOf(kubeconfig), { namespace });
    const reference = { apiVersion: "v1", kind: "Namespace", name: namespace };
    const { apiVersion, kind, name } = reference;
    await cluster.create({ apiVersion, kind, metadata: { name } });
    for (const definition of definitions)
      await ensureDefinition(cluster, definition, AbortSignal.timeout(longestWaitMs));
    return new ControllerWorld(cluster, namespace, async () => {
      await cluster.delete(reference);
      await cluster.close();
      end();
    });
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
      leaseSeconds: 2,
      log: jsonLog({ level: "info", write: (line) => lines.push(line) }),
      onLeading: () => {
        leads.resolve();
      },
    });
    ended.catch((error: unknown) => {
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
  async apply(text: string, manager = "test"): Promise<readonly KubernetesObject[]> {
    const answers: KubernetesObject[] = [];
    for (const { object } of readObjectsFromText("test.yaml", text).objects) {
      const { object: answer } = await this.cluster.apply(object, {
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
      `${kind.kind} ${name} never came to be as expected: ${JSON.stringify(last, null, 2)}`,
    );
  }
}
