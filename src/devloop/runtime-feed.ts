import type { RunEvent } from "../events/index.ts";
import { identityKey, type ObjectIdentity } from "../objects/index.ts";
import { type DevComponent, identitiesOf } from "./dev-component.ts";
import type { DevContext } from "./dev-context.ts";
import type { PodFeed } from "./pods/pod-feed.ts";
import { runtimeOf } from "./runtime-of.ts";
import { StatusFeed } from "./status-feed.ts";

type StatusEvent = Extract<RunEvent, { readonly type: "status" }>;

/** Follows how the objects of components are, and judges the components by that. */
export class RuntimeFeed {
  readonly #context: DevContext;
  readonly #pods: PodFeed;
  readonly #statuses: StatusFeed;
  #byObject = new Map<string, DevComponent[]>();

  constructor(context: DevContext, pods: PodFeed) {
    this.#context = context;
    this.#pods = pods;
    this.#statuses = new StatusFeed({
      cluster: context.cluster,
      onStatus: (event) => {
        this.#statusChanged(event);
      },
      onTrouble: (error) => {
        context.reporter.unwatched("nobody watches how objects are", error);
      },
    });
  }

  /** Objects have been written, some of them by another process: from now on their new state counts. */
  follow(rewritten: readonly ObjectIdentity[] = []): void {
    const entries = [...this.#context.components.values()];
    this.#pods.follow(
      entries.map((entry) => ({
        component: entry.name,
        objects: identitiesOf(entry),
        selectors: entry.component.extraPodSelectors,
        onlySelectors: entry.component.discoveryStrategy === "selectors-only",
      })),
    );
    this.#byObject = new Map();
    const identities = new Map(
      entries.flatMap((entry) =>
        identitiesOf(entry).map((identity) => {
          const key = identityKey(identity);
          this.#byObject.set(key, [...(this.#byObject.get(key) ?? []), entry]);
          return [key, identity];
        }),
      ),
    );
    this.#statuses.follow([...identities.values()], rewritten);
  }

  judge(entry: DevComponent): void {
    const pods = entry.component.podReadiness === "succeeded" ? this.#pods.podsOf(entry.name) : [];
    const { status, reason, message, cause } = runtimeOf(entry, pods);
    this.#context.state.runtime(entry.name, status, reason, message, cause);
  }

  /** The pods of a component have changed, which may be all that it waits for. */
  podChanged(component: string): void {
    const entry = this.#context.components.get(component);
    if (entry?.component.podReadiness !== "succeeded") return;
    this.judge(entry);
    this.#context.pump();
  }

  close(): Promise<void> {
    return this.#statuses.close();
  }

  #statusChanged(event: StatusEvent): void {
    const key = identityKey(event.object);
    for (const entry of this.#byObject.get(key) ?? []) {
      entry.readiness.set(key, event);
      this.judge(entry);
    }
    this.#context.pump();
  }
}
