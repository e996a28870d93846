import { type Cluster, isNotFound } from "../cluster/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../json/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import {
  deferredIn,
  isProvisionedObject,
  knownAfterApply,
  type ProgramDesired,
  recordOfObject,
  withDeferred,
} from "../plan/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import type { DeferredValue, KnownOutputs } from "../resources/index.ts";

/** A program that is being applied: what it wishes for, and who can compute and make the rest. */
export interface ProgramRun {
  readonly desired: ProgramDesired;
  /** The same with other names for the objects of some resources. */
  readonly desiredAs: (names: ReadonlyMap<string, string>) => ProgramDesired;
  readonly providers: ProviderHost;
  /** Computes a value that was not known, from what is known now. */
  readonly resolve: (deferred: number, outputs: KnownOutputs) => Promise<JsonValue>;
}

/** An object with all its values; undefined as long as one of them cannot be known. */
export async function fillObject(
  { resolve }: Pick<ProgramRun, "resolve">,
  object: KubernetesObject,
  outputs: KnownOutputs,
): Promise<KubernetesObject | undefined> {
  const deferred = deferredIn(object);
  if (deferred.length === 0) return object;
  const isKnown = deferred.every(({ from }) => from.every(({ resource }) => outputs.has(resource)));
  if (!isKnown) return undefined;
  const values = new Map<number, JsonValue>();
  for (const { $deferred, from } of deferred)
    values.set($deferred, await resolve($deferred, outputsFor(from, outputs)));
  return withDeferred(object, ({ $deferred }) => values.get($deferred)) as KubernetesObject;
}

/** Only what a value is computed from: each question is sent to another thread. */
function outputsFor(from: DeferredValue["from"], outputs: KnownOutputs): KnownOutputs {
  return new Map(
    from.flatMap(({ resource }): readonly (readonly [string, JsonValue])[] => {
      const found = outputs.get(resource);
      return found === undefined ? [] : [[resource, found]];
    }),
  );
}

/** An object for people, with words in the places of what is not known. */
export function previewObject(object: KubernetesObject): KubernetesObject {
  return withDeferred(object, () => knownAfterApply) as KubernetesObject;
}

/** What some resources gave, by their names, as far as they are there. */
export async function knownOutputs(
  cluster: Cluster,
  { desired }: ProgramRun,
  names: Iterable<string>,
  liveOf: (key: string) => Promise<KubernetesObject | undefined>,
): Promise<KnownOutputs> {
  const outputs = new Map<string, JsonValue>();
  await Promise.all(
    [...new Set(names)].map(async (name) => {
      const live = await liveOf(desired.keyOf.get(name) ?? "");
      const found = live === undefined ? undefined : await outputsOf(cluster, live);
      if (found !== undefined) outputs.set(name, found);
    }),
  );
  return outputs;
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
  if (!JSON.stringify([spec, status ?? {}]).includes('"$secret"')) return object;
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

/** The names of the resources that an object takes values from. */
export function sourcesOf(object: KubernetesObject): readonly string[] {
  return deferredIn(object).flatMap(({ from }) => from.map(({ resource }) => resource));
}

/** The node of an object. */
export function keyOfObject(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}
