import { fail } from "../../diagnostics/index.ts";
import type { Timing } from "../timing.ts";
import type { Transport } from "../transport/transport.ts";
import type { ApiResource, ObjectKind } from "./api-resource.ts";
import { type Discovered, fetchDiscovery } from "./discovery.ts";
import type { DiscoveryCache } from "./discovery-cache.ts";
import { indexResources, type ResourceIndex } from "./resource-index.ts";

/** Fails because a kind is not served; says what is. */
export function resourceNotServed(kind: ObjectKind, resources: ResourceIndex): never {
  const proposal = resources.proposal(kind);
  return fail({
    code: "cluster.unknown-kind",
    summary: `the cluster does not serve ${kind.kind} in ${kind.apiVersion}`,
    subject: `${kind.apiVersion} ${kind.kind}`,
    hint:
      proposal === undefined
        ? "check apiVersion and kind, or install the CustomResourceDefinition first"
        : `did you mean ${proposal}?`,
  });
}

/** After this the server is asked whether anything changed, which is cheap when nothing has. */
const freshForMs = 10 * 60_000;

/**
 * What the cluster serves: from memory, else from disk while that is fresh, else from the server. A
 * kind that is not found makes it ask the server again, because a CRD may have been added.
 */
export class DiscoveredResources {
  readonly #transport: Transport;
  readonly #timing: Timing;
  readonly #cache: DiscoveryCache | undefined;
  #discovered: Discovered | undefined;
  #index: ResourceIndex | undefined;
  #outdated = false;
  #loading: Promise<ResourceIndex> | undefined;
  #refreshing: Promise<ResourceIndex> | undefined;

  constructor(transport: Transport, timing: Timing, cache?: DiscoveryCache) {
    this.#transport = transport;
    this.#timing = timing;
    this.#cache = cache;
  }

  index(): Promise<ResourceIndex> {
    if (this.#index !== undefined) return Promise.resolve(this.#index);
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Asks the server, whatever is cached. Callers at the same time share the request. */
  refresh(): Promise<ResourceIndex> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** What is known turned out to be wrong: the next question goes to the server. */
  invalidate(): void {
    this.#index = undefined;
    this.#outdated = true;
  }

  /** The resource of a kind; a kind that is not served is an error that says what is. */
  async resource(kind: ObjectKind): Promise<ApiResource> {
    const known = this.#index ?? (await this.index());
    const found = known.find(kind);
    if (found !== undefined) return found;
    const renewed = await this.refresh();
    const foundNow = renewed.find(kind);
    if (foundNow !== undefined) return foundNow;
    return resourceNotServed(kind, renewed);
  }

  async #load(): Promise<ResourceIndex> {
    const cached = this.#outdated ? undefined : await this.#cache?.read();
    if (cached !== undefined) {
      this.#discovered = cached.discovered;
      const ageMs = this.#timing.now() - cached.storedAtMs;
      // A clock that was set back would make it fresh for ever.
      if (ageMs >= 0 && ageMs < freshForMs) return this.#use(cached.discovered);
    }
    return this.refresh();
  }

  async #refresh(): Promise<ResourceIndex> {
    const discovered = await fetchDiscovery(this.#transport, this.#discovered);
    await this.#cache?.write(discovered, this.#timing.now());
    return this.#use(discovered);
  }

  #use(discovered: Discovered): ResourceIndex {
    this.#outdated = false;
    this.#discovered = discovered;
    this.#index = indexResources(
      Object.values(discovered.parts).flat(),
      Object.values(discovered.unavailable).flat(),
    );
    return this.#index;
  }
}
