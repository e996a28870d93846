import { type Deferred, deferredOf, isOutput, outputValue, partsOf } from "./deferred.ts";
import { handleOf, type Origin } from "./origin.ts";

/** Every resource and path that a value depends on, in the order in which they appear in it. */
export function originsOf(value: unknown): readonly Origin[] {
  const collector = new OriginCollector();
  collector.addValue(value);
  return collector.origins();
}

export function directOrigins(deferred: Deferred): Origin[] {
  const collector = new OriginCollector();
  collector.addDeferred(deferred);
  return collector.origins();
}

class OriginCollector {
  readonly #found = new Map<string, Origin>();
  readonly #seen = new Set<unknown>();

  origins(): Origin[] {
    return [...this.#found.values()];
  }

  addValue(value: unknown): void {
    const deferred = deferredOf(value);
    if (deferred !== undefined) return this.addDeferred(deferred);
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    const resource = handleOf(value);
    if (resource !== undefined) this.#add({ resource, path: [] });
    else if (isOutput(value)) this.addValue(value[outputValue]);
    else for (const item of Object.values(value)) this.addValue(item);
  }

  addDeferred(deferred: Deferred): void {
    if (deferred.kind === "property") this.#add(deferred.origin);
    else if (deferred.kind === "member") this.addDeferred(deferred.of);
    else for (const part of partsOf(deferred)) this.addValue(part);
  }

  #add(origin: Origin): void {
    const key = JSON.stringify([origin.resource.name, ...origin.path]);
    if (!this.#found.has(key)) this.#found.set(key, origin);
  }
}
