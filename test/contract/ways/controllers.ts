import { type Cluster, connectTo, fixedCredentials } from "../../../src/cluster/index.ts";
import { jsonLog, type Reconciler, runControllers } from "../../../src/controller/index.ts";
import { fieldAt, objectsIn } from "../../../src/json/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import { type CellSettings, until } from "../cell.ts";

const mostStarts = 20;

/** Controllers in this process that look after one namespace, through the line of its cell. */
export class Controllers {
  /** What they logged. */
  log = "";
  readonly #settings: CellSettings;
  readonly #cluster: Cluster;
  readonly #reconcilers: () => readonly Reconciler[];
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(settings: CellSettings, reconcilers: () => readonly Reconciler[]) {
    this.#settings = settings;
    this.#reconcilers = reconcilers;
    this.#cluster = connectTo({
      server: settings.line.url,
      skipTlsVerify: false,
      credentials: fixedCredentials(),
    });
  }

  /** Begins with the first of what they look after, so that a test can say before what they find. */
  start(): void {
    this.#ended ??= this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.#cluster.close();
  }

  /** A process that ends by itself is started again, as a Deployment does. */
  async #run(): Promise<void> {
    for (let starts = 0; starts < mostStarts && !this.#stop.signal.aborted; starts++) {
      try {
        await this.#runOnce();
      } catch (error) {
        this.log += `ended: ${String(error)}\n`;
      }
    }
  }

  #runOnce(): Promise<void> {
    return runControllers({
      cluster: this.#cluster,
      reconcilers: this.#reconcilers(),
      signal: this.#stop.signal,
      holder: "contract",
      lease: { namespace: this.#settings.namespace, name: "controller" },
      leaseSeconds: 2,
      log: jsonLog({
        level: "debug",
        write: (line) => {
          this.log += line;
        },
      }),
    });
  }
}

/** Everything that an owner tells: its status, its Events, and what its controller logged. */
export async function reportedBy(
  { cluster, namespace }: CellSettings,
  owner: KubernetesObject | undefined,
  log: string,
): Promise<string> {
  const { items } = await cluster.list({ apiVersion: "v1", kind: "Event" }, { namespace });
  const events = items
    .filter((event) => fieldAt(event, "involvedObject", "uid") === owner?.metadata.uid)
    .map((event) => `${String(event["reason"])}: ${String(event["message"])}`);
  return [JSON.stringify(owner?.["status"] ?? {}), ...events, log].join("\n");
}

/** The status of a condition of an owner; `type` alone means whether it is True. */
export function conditionOf(owner: KubernetesObject | undefined, type: string): unknown {
  const conditions = objectsIn(fieldAt(owner, "status", "conditions"));
  return conditions.find((each) => each["type"] === type)?.["status"];
}

export function hasObserved(owner: KubernetesObject | undefined): boolean {
  return fieldAt(owner, "status", "observedGeneration") === owner?.metadata.generation;
}

/** Waits until something is at rest, or for as long as there is patience; says whether it came. */
export async function settles(
  isAtRest: () => Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  return until(isAtRest, "it is at rest", withinMs).then(
    () => true,
    () => false,
  );
}
