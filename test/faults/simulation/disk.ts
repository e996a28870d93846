import type { PersistedObject, Persistence } from "../../../src/sandbox/store/persistence.ts";
import { dataProblem } from "../../../src/sandbox/store/data-problem.ts";
import type { StoredObject } from "../../../src/sandbox/store/stored-object.ts";

/** The disk of a server: it may be full for a while, and outlives whoever writes on it. */
export class Disk implements Persistence {
  isFull = false;
  #revision = 1;
  readonly #objects = new Map<string, PersistedObject>();

  readonly revision = (): number => this.#revision;

  readonly load = (): Iterable<PersistedObject> => [...this.#objects.values()];

  readonly put = (resource: string, stored: StoredObject): void => {
    this.#requireRoom();
    const { namespace, name, json, revision } = stored;
    this.#objects.set(keyOf(resource, stored), { resource, namespace, name, json, revision });
    this.#revision = revision;
  };

  readonly delete = (resource: string, stored: StoredObject): void => {
    this.#requireRoom();
    this.#objects.delete(keyOf(resource, stored));
    this.#revision = stored.revision;
  };

  readonly fill: Persistence["fill"] = (objects) => {
    for (const { resource, stored } of objects) this.put(resource, stored);
  };

  readonly close = (): void => undefined;

  #requireRoom(): void {
    if (!this.isFull) return;
    const error = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    throw dataProblem(error, "writing", "objects.sqlite");
  }
}

function keyOf(resource: string, { namespace, name }: StoredObject): string {
  return `${resource} ${namespace}/${name}`;
}
