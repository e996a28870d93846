import type { StoredObject } from "./stored-object.ts";

/** Where a store keeps its objects between two lives. Each write is durable when it returns. */
export interface Persistence {
  readonly revision: () => number;
  readonly load: () => Iterable<PersistedObject>;
  readonly put: (resource: string, stored: StoredObject) => void;
  readonly delete: (resource: string, stored: StoredObject) => void;
  /** Writes many objects at once and counts on from a revision; for a new store. */
  readonly fill: (
    objects: readonly { readonly resource: string; readonly stored: StoredObject }[],
    revision: number,
  ) => void;
  readonly close: () => void;
}

export interface PersistedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly json: string;
  readonly revision: number;
}
