import { createHash } from "node:crypto";
import type { Cluster } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Log } from "./log.ts";

const mostRemembered = 10_000;
const longestMessage = 1024;
/** The same words about the same object are not repeated sooner than this. */
const repeatAfterMs = 600_000;

/** Something that happened to an object, for `kubectl describe`. */
export interface ObjectEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/**
 * Writes Events about objects, each at most once in a while: a controller that tries again and again
 * says so in the status, not in a thousand Events.
 */
export class EventRecorder {
  readonly #cluster: Cluster;
  readonly #reporter: string;
  readonly #log: Log;
  readonly #told = new Map<string, number>();
  readonly #sending = new Set<Promise<void>>();

  constructor(cluster: Cluster, reporter: string, log: Log) {
    this.#cluster = cluster;
    this.#reporter = reporter;
    this.#log = log;
  }

  record(about: KubernetesObject, event: ObjectEvent): void {
    const now = Date.now();
    const key = `${about.metadata.uid ?? ""} ${event.reason} ${event.message}`;
    const last = this.#told.get(key);
    if (last !== undefined && now - last < repeatAfterMs) return;
    this.#told.delete(key);
    this.#told.set(key, now);
    if (this.#told.size > mostRemembered) {
      const [oldest] = this.#told.keys();
      if (oldest !== undefined) this.#told.delete(oldest);
    }
    const sending = this.#send(about, event, now).finally(() => {
      this.#sending.delete(sending);
    });
    this.#sending.add(sending);
  }

  /** Resolves when everything that was recorded has been sent, or could not be. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #send(about: KubernetesObject, event: ObjectEvent, now: number): Promise<void> {
    try {
      await this.#cluster.create(this.#eventObject(about, event, now));
    } catch (error) {
      // An Event is a courtesy; what it tells stands in the status too.
      this.#log.warn(
        { reason: event.reason, error: (error as Error).message },
        "event not written",
      );
    }
  }

  #eventObject(
    { apiVersion, kind, metadata }: KubernetesObject,
    { type, reason, message }: ObjectEvent,
    now: number,
  ): KubernetesObject {
    const time = new Date(now).toISOString();
    const namespace = metadata.namespace ?? "default";
    const digest = createHash("sha256").update(`${now} ${reason} ${message}`).digest("hex");
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: {
        name: `${(metadata.name ?? "").slice(0, 200)}.${digest.slice(0, 16)}`,
        namespace,
      },
      involvedObject: {
        apiVersion,
        kind,
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
        name: metadata.name ?? "",
        uid: metadata.uid ?? "",
      },
      type,
      reason,
      message: message.slice(0, longestMessage),
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: this.#reporter },
      reportingComponent: this.#reporter,
      reportingInstance: this.#reporter,
    };
  }
}
