import type { JsonObject } from "../../src/json/index.ts";
import type { KindSchema } from "./open-api.ts";

/** A valid object that is mutated, and where it lives. */
export interface Subject {
  /** How the table names its kind. */
  readonly kind: string;
  readonly name: string;
  /** The path of the collection, which takes creates. */
  readonly collection: string;
  readonly schema: KindSchema;
  readonly object: JsonObject;
  /** Whether it is an object that stays, and can be updated. */
  readonly isStored: boolean;
}

export const namespace = "fidelity";

export function collectionPath(
  apiVersion: string,
  resource: string,
  inNamespace: string | undefined,
): string {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return inNamespace === undefined
    ? `${base}/${resource}`
    : `${base}/namespaces/${inNamespace}/${resource}`;
}
