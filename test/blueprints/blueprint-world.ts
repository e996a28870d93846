/** A cluster with supply chains: definitions, a namespace, and controllers that run in this process. */
import { randomBytes } from "node:crypto";
import { blueprintDefinitions } from "../../src/blueprints/index.ts";
import {
  type Cluster,
  connectTo,
  type ConnectionSettings,
  fixedCredentials,
} from "../../src/cluster/index.ts";
import {
  type BlueprintOptions,
  blueprintReconcilers,
  jsonLog,
  runControllers,
} from "../../src/controller/index.ts";
import { fieldAt, type JsonObject, objectsIn } from "../../src/json/index.ts";
import { groupOf, type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";

/** Puts the definitions into a cluster, and waits until it serves them. */
export async function installDefinitions(
  cluster: Cluster,
  definitions = blueprintDefinitions,
): Promise<void> {
  await Promise.all(
    definitions.map((definition) =>
      cluster.apply(definition, { fieldManager: "test", force: true }),
    ),
  );
  const names = new Set(definitions.map(({ metadata }) => metadata.name));
  const kind = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  for await (const event of cluster.watch(kind, { signal: AbortSignal.timeout(60_000) })) {
    const objects =
      event.kind === "snapshot" ? event.objects : event.kind === "bookmark" ? [] : [event.object];
    for (const object of objects)
      if (conditionOf(object, "Established") === "True") names.delete(object.metadata.name);
    if (names.size === 0) break;
  }
  await cluster.refreshResources();
}

export function conditionOf(object: KubernetesObject | undefined, type: string): unknown {
  const conditions = objectsIn(fieldAt(object, "status", "conditions"));
  return conditions.find((each) => each["type"] === type)?.["status"];
}

/** The reason of the Ready condition. */
export function reasonOf(object: KubernetesObject | undefined): unknown {
  const conditions = objectsIn(fieldAt(object, "status", "conditions"));
  return conditions.find((each) => each["type"] === "Ready")?.["reason"];
}

export interface RunningControllers {
  readonly log: readonly string[];
  readonly stop: () => Promise<void>;
}

export class BlueprintWorld {
  readonly cluster: Cluster;
  readonly settings: ConnectionSettings;
  /** Makes the names of this test's cluster-wide objects its own. */
  readonly unique = `t${randomBytes(4).toString("hex")}`;
  readonly namespace = this.unique;
  readonly #controllers: RunningControllers[] = [];

  static async open(
    kubeconfig: string,
    definitions: readonly KubernetesObject[] = blueprintDefinitions,
  ): Promise<BlueprintWorld> {
    const settings = await settingsOf(kubeconfig);
    const world = new BlueprintWorld(settings);
    await installDefinitions(world.cluster, definitions);
    await world.cluster.create({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: world.namespace },
    });
    await world.until({ apiVersion: "v1", kind: "ServiceAccount" }, "default", () => true);
    return world;
  }

  private constructor(settings: ConnectionSettings) {
    this.settings = settings;
    this.cluster = connectTo(settings, { namespace: this.namespace });
  }

  /** Applies YAML in which UNIQUE stands for this world's own mark. */
  async apply(yaml: string): Promise<void> {
    const { objects, diagnostics } = readObjectsFromText(
      "test.yaml",
      yaml.replaceAll("UNIQUE", this.unique),
    );
    if (diagnostics.length > 0) throw new Error(diagnostics[0]?.summary);
    for (const { object } of objects)
      await this.cluster.apply(object, { fieldManager: "test", force: true });
  }

  /** Lets the service account of a name do something with kinds, or everything with ConfigMaps. */
  allow(account = "default", group = "", resource = "configmaps"): Promise<void> {
    const name = `${account}-${resource}`;
    return this.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: ${name}}
rules: [{apiGroups: ["${group}"], resources: [${resource}], verbs: [get, list, create, patch, delete]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name}}
subjects: [{kind: ServiceAccount, name: ${account}, namespace: UNIQUE}]
`);
  }

  /**
   * Runs the controllers until they are stopped; resolves when they lead. They look after the namespace of this
   * world unless told otherwise: others run at the same time, on the same cluster.
   */
  async control(
    options: BlueprintOptions & {
      readonly holder?: string;
      readonly lease?: boolean;
      readonly token?: string;
      /** Stands between the controllers and the cluster. */
      readonly through?: (cluster: Cluster) => Cluster;
    } = {},
  ): Promise<RunningControllers> {
    const { holder = "test", lease = false, token, through, ...blueprints } = options;
    const stop = new AbortController();
    const leads = Promise.withResolvers<void>();
    const log: string[] = [];
    const cluster = connectTo(
      token === undefined
        ? this.settings
        : {
            ...this.settings,
            credentials: fixedCredentials({ authorization: `Bearer ${token}` }),
          },
    );
    const ended = runControllers({
      cluster: through?.(cluster) ?? cluster,
      reconcilers: blueprintReconcilers({ namespace: this.namespace, ...blueprints }),
      signal: stop.signal,
      holder,
      ...(lease
        ? { lease: { namespace: this.namespace, name: "controller" }, leaseSeconds: 2 }
        : {}),
      log: jsonLog({ level: "info", write: (line) => log.push(line) }),
      onLeading: () => {
        leads.resolve();
      },
    });
    ended.catch((error: unknown) => {
      leads.reject(error);
    });
    const running = {
      log,
      stop: async () => {
        stop.abort();
        await ended.catch(() => undefined);
        await cluster.close();
      },
    };
    this.#controllers.push(running);
    if (!lease) await leads.promise;
    return running;
  }

  /** Waits until an object is as it should be; undefined stands for one that is gone. */
  async until(
    kind: { readonly apiVersion: string; readonly kind: string },
    name: string,
    isRight: (object: KubernetesObject | undefined) => boolean,
  ): Promise<KubernetesObject | undefined> {
    let last: KubernetesObject | undefined;
    const signal = AbortSignal.timeout(90_000);
    try {
      for await (const event of this.cluster.watch(kind, { namespace: this.namespace, signal })) {
        if (event.kind === "bookmark") continue;
        if (event.kind === "snapshot")
          last = event.objects.find((each) => each.metadata.name === name);
        else if (event.object.metadata.name !== name) continue;
        else last = event.kind === "deleted" ? undefined : event.object;
        if (isRight(last)) return last;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new Error(
      `${kind.kind} ${name} did not become what it should; it is ${JSON.stringify((last?.["status"] as JsonObject | undefined) ?? last ?? null)}`,
    );
  }

  workload(
    name: string,
    isRight: (object: KubernetesObject | undefined) => boolean,
    kind = "Workload",
    group = "kontinue.io",
  ): Promise<KubernetesObject | undefined> {
    return this.until({ apiVersion: `${group}/v1alpha1`, kind }, name, isRight);
  }

  ready(name: string, kind = "Workload", group = "kontinue.io") {
    return this.workload(
      name,
      (object) =>
        conditionOf(object, "Ready") === "True" &&
        fieldAt(object, "status", "observedGeneration") === object?.metadata.generation,
      kind,
      group,
    );
  }

  /** The stamped ConfigMaps of this namespace, as `name data`. */
  async configMaps(): Promise<readonly string[]> {
    const { items } = await this.cluster.list(
      { apiVersion: "v1", kind: "ConfigMap" },
      { namespace: this.namespace },
    );
    return items
      .filter(({ metadata }) => metadata.ownerReferences !== undefined)
      .map((each) => `${each.metadata.name ?? ""} ${JSON.stringify(sortedFields(each["data"]))}`)
      .toSorted();
  }

  async close(): Promise<void> {
    await Promise.all(this.#controllers.map(({ stop }) => stop()));
    const { items } = await this.cluster.list({ apiVersion: "v1", kind: "Namespace" });
    const own = items.find(({ metadata }) => metadata.name === this.namespace);
    for (const group of ["kontinue.io", "carto.run"]) {
      for (const kind of [
        "ClusterSupplyChain",
        "ClusterDelivery",
        "ClusterSourceTemplate",
        "ClusterImageTemplate",
        "ClusterConfigTemplate",
        "ClusterTemplate",
        "ClusterDeploymentTemplate",
        "ClusterRunTemplate",
      ]) {
        const reference = { apiVersion: `${group}/v1alpha1`, kind };
        const { items: found } = await this.cluster.list(reference);
        for (const each of found)
          if (
            each.metadata.name?.includes(this.unique) === true &&
            groupOf(each.apiVersion) === group
          )
            await this.cluster.delete({ ...reference, name: each.metadata.name });
      }
    }
    if (own !== undefined)
      await this.cluster.delete({ apiVersion: "v1", kind: "Namespace", name: this.namespace });
    await this.cluster.close();
  }
}

function sortedFields(data: unknown): unknown {
  return Object.fromEntries(
    Object.entries((data ?? {}) as JsonObject).toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    ),
  );
}
