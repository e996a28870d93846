import { load } from "js-yaml";
import { ManualClock } from "../../src/sandbox/clock.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Persistence } from "../../src/sandbox/store/persistence.ts";
import { seededRandom } from "../../src/sandbox/random.ts";

/** A sandbox whose time stands still until the test moves it. */
export class Scenario {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;

  constructor(clock = new ManualClock(), persistence?: Persistence) {
    this.clock = clock;
    this.sandbox = openSandbox({
      clock,
      random: seededRandom(1),
      ...(persistence === undefined ? {} : { persistence }),
    });
    this.settle();
  }

  /** The same objects in a sandbox that has just been opened; the first one is closed. */
  reopen(): Scenario {
    const { store } = this.sandbox.context;
    const objects = store.resources().flatMap((resource) =>
      store.list(resource).map(({ namespace, name, json, revision }) => ({
        resource,
        namespace,
        name,
        json,
        revision,
      })),
    );
    const revision = store.revision;
    this.sandbox.close();
    return new Scenario(this.clock, {
      revision: () => revision,
      load: () => objects,
      fill: () => {},
      put: () => {},
      delete: () => {},
      close: () => {},
    });
  }

  /** Lets everything happen that happens within moments. */
  settle(): this {
    this.clock.advance(200);
    return this;
  }

  seconds(count: number): this {
    this.clock.advance(count * 1000);
    return this;
  }

  /** Creates what a YAML text describes, in the namespace `default`. */
  create(path: string, yaml: string): this {
    return this.#demand(201, this.send("POST", path, load(yaml)));
  }

  patch(path: string, yaml: string): this {
    return this.#demand(200, this.send("PATCH", path, load(yaml)));
  }

  delete(path: string): this {
    return this.#demand(200, this.send("DELETE", path));
  }

  get(path: string): Loose {
    return this.send("GET", path).body;
  }

  list(path: string): readonly Loose[] {
    return this.get(path)["items"] as readonly Loose[];
  }

  /** The reasons and messages of the events about an object, in order. */
  events(kind: string, name: string | RegExp): readonly string[] {
    return this.list("/api/v1/namespaces/default/events")
      .filter(({ involvedObject }) => {
        const about = involvedObject as { readonly kind: string; readonly name: string };
        return (
          about.kind === kind &&
          (name instanceof RegExp ? name.test(about.name) : about.name === name)
        );
      })
      .map(
        ({ reason, message, count }) =>
          `${String(reason)}: ${String(message)}${Number(count) > 1 ? ` (x${Number(count)})` : ""}`,
      );
  }

  #demand(
    wanted: number,
    { status, body }: { readonly status: number; readonly body: Loose },
  ): this {
    if (status !== wanted) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return this;
  }

  send(
    method: string,
    path: string,
    body?: unknown,
  ): { readonly status: number; readonly body: Loose } {
    const [plain = "", query = ""] = path.split("?");
    const response = this.sandbox.handle({
      method,
      path: plain,
      query: new URLSearchParams(query),
      accept: "application/json",
      contentType: method === "PATCH" ? "application/merge-patch+json" : "application/json",
      userAgent: "scenario",
      body: body === undefined ? "" : JSON.stringify(body),
      user: { name: "admin", groups: ["system:masters"] },
    });
    if (response.kind !== "complete") throw new Error("a stream was not expected");
    return { status: response.status, body: JSON.parse(response.body) as Loose };
  }
}

/** An object as JSON has it. */
export type Loose = Readonly<Record<string, unknown>>;

/** What conditions say, each on a line: `Available=True MinimumReplicasAvailable`. */
export function conditionsOf(object: Loose): readonly string[] {
  const { conditions = [] } = object["status"] as {
    readonly conditions?: readonly Record<string, string>[];
  };
  return conditions.map(({ type = "", status = "", reason = "" }) =>
    `${type}=${status} ${reason}`.trim(),
  );
}

/** The value at a path such as `status.phase` or `spec.containers.0.image`. */
export function at(object: Loose, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, word) => (value as Loose | undefined)?.[word], object);
}

export const paths = {
  deployments: "/apis/apps/v1/namespaces/default/deployments",
  replicaSets: "/apis/apps/v1/namespaces/default/replicasets",
  statefulSets: "/apis/apps/v1/namespaces/default/statefulsets",
  daemonSets: "/apis/apps/v1/namespaces/default/daemonsets",
  jobs: "/apis/batch/v1/namespaces/default/jobs",
  cronJobs: "/apis/batch/v1/namespaces/default/cronjobs",
  pods: "/api/v1/namespaces/default/pods",
  services: "/api/v1/namespaces/default/services",
  endpoints: "/api/v1/namespaces/default/endpoints",
  slices: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
  claims: "/api/v1/namespaces/default/persistentvolumeclaims",
  volumes: "/api/v1/persistentvolumes",
  classes: "/apis/storage.k8s.io/v1/storageclasses",
  budgets: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
  autoscalers: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
  quotas: "/api/v1/namespaces/default/resourcequotas",
  configMaps: "/api/v1/namespaces/default/configmaps",
  nodes: "/api/v1/nodes",
};
