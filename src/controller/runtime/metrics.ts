import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the controller counts, in the format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: "keelson_api_requests_total",
    help: "Requests to the Kubernetes API, by verb and kind.",
    labelNames: ["verb", "kind"],
    registers: [this.#registry],
  });
  readonly #work = new Histogram({
    name: "keelson_reconcile_seconds",
    help: "How long one look at one owner took.",
    labelNames: ["controller", "outcome"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  });
  readonly #depth: Gauge;
  readonly #cached: Gauge;
  readonly #leads = new Gauge({
    name: "keelson_leader",
    help: "1 while this process leads.",
    registers: [this.#registry],
  });

  constructor(sources: {
    readonly queueDepths: () => Iterable<readonly [controller: string, depth: number]>;
    readonly cachedObjects: () => number;
  }) {
    this.#depth = new Gauge({
      name: "keelson_queue_depth",
      help: "Owners that wait to be looked at.",
      labelNames: ["controller"],
      registers: [this.#registry],
      collect: () => {
        for (const [controller, depth] of sources.queueDepths())
          this.#depth.set({ controller }, depth);
      },
    });
    this.#cached = new Gauge({
      name: "keelson_cached_objects",
      help: "Objects that are kept in memory.",
      registers: [this.#registry],
      collect: () => {
        this.#cached.set(sources.cachedObjects());
      },
    });
    collectDefaultMetrics({ register: this.#registry });
  }

  request(verb: string, kind: string): void {
    this.#requests.inc({ verb, kind });
  }

  worked(controller: string, outcome: "done" | "failed", elapsedMs: number): void {
    this.#work.observe({ controller, outcome }, elapsedMs / 1000);
  }

  leads(isLeader: boolean): void {
    this.#leads.set(isLeader ? 1 : 0);
  }

  /** Everything as text, with the content type that says so. */
  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
