import { type Cluster, isNotFound } from "../cluster/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { isProvisionedObject, type ProgramDesired, recordOfObject } from "../plan/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import type { KnownOutputs } from "../resources/index.ts";

/** A program that is being applied: what it wishes for, and who can compute and make the rest. */
export interface ProgramRun {
  readonly desired: ProgramDesired;
  /** The same with other names for the objects of some resources. */
  readonly desiredAs: (names: ReadonlyMap<string, string>) => ProgramDesired;
  readonly providers: ProviderHost;
  /** Computes a value that was not known, from what is known now. */
  readonly resolve: (deferred: number, outputs: KnownOutputs) => Promise<JsonValue>;
}

/** What one resource gave: of a Kubernetes object all of it, of others what their record says. */
export async function outputsOf(
  cluster: Cluster,
  live: KubernetesObject,
): Promise<JsonValue | undefined> {
  if (!isProvisionedObject(live)) return live as unknown as JsonValue;
  const whole = await withSecrets(cluster, live);
  const status = recordOfObject(whole)?.status;
  if (status?.phase !== "Ready" && status?.outputs === undefined) return undefined;
  return { ...status.inputs, ...status.outputs, id: status.id ?? "" };
}

/** The name of the Secret that holds what must not stand in a record. */
export function secretNameOf({ metadata }: KubernetesObject): string {
  return `${metadata.name ?? ""}-values`;
}

/** A record with the values that are kept in its Secret. */
export async function withSecrets(
  cluster: Cluster,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const { spec = {}, status } = object;
  if (!stringifyJson([spec, status ?? {}]).includes('"$secret"')) return object;
  const secret = await readSecret(cluster, object);
  const fill = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    const { $secret } = value;
    if (typeof $secret === "string") return secret.get($secret) ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner ?? null)]),
    );
  };
  return {
    ...object,
    spec: fill(spec as JsonValue),
    ...(status === undefined ? {} : { status: fill(status as JsonValue) }),
  };
}

async function readSecret(
  cluster: Cluster,
  object: KubernetesObject,
): Promise<ReadonlyMap<string, JsonValue>> {
  try {
    const found = await cluster.get({
      apiVersion: "v1",
      kind: "Secret",
      namespace: object.metadata.namespace ?? "",
      name: secretNameOf(object),
    });
    const data = isJsonObject(found["data"]) ? found["data"] : {};
    return new Map(
      Object.entries(data).map(([key, value]) => [
        key,
        parseJson(Buffer.from(typeof value === "string" ? value : "", "base64").toString("utf8")),
      ]),
    );
  } catch (error) {
    if (isNotFound(error)) return new Map();
    throw error;
  }
}

/** Takes the values of secret fields out, for their own object. */
export function splitSecrets(
  part: "inputs" | "made" | "outputs",
  values: JsonObject,
  secret: readonly string[],
): { readonly shown: JsonObject; readonly hidden: Readonly<Record<string, JsonValue>> } {
  const hidden: Record<string, JsonValue> = {};
  const shown = Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (!secret.includes(key) || value === undefined) return [key, value];
      hidden[`${part}.${key}`] = value;
      return [key, { $secret: `${part}.${key}` }];
    }),
  );
  return { shown, hidden };
}
