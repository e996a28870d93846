import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "../../src/cluster/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json/index.ts";
import { type KubernetesObject, parseYamlStream } from "../../src/objects/index.ts";

/** One step of a folder as kuttl has them: what is applied, then what must become and what must go. */
export interface KuttlStep {
  readonly index: number;
  readonly applied: readonly KubernetesObject[];
  readonly asserted: readonly KubernetesObject[];
  readonly errors: readonly KubernetesObject[];
}

/** The steps of a folder, from the names of its files: `01-workload.yaml`, `01-assert.yaml`, `02-errors.yaml`. */
export function kuttlSteps(folder: string): readonly KuttlStep[] {
  const files = readdirSync(folder).flatMap((name) => {
    const { index, what } = /^(?<index>\d+)-(?<what>[^.]+)\.yaml$/.exec(name)?.groups ?? {};
    if (index === undefined || what === undefined) return [];
    const parsed = parseYamlStream(readFileSync(join(folder, name), "utf8"));
    if (parsed.kind === "problem") throw new Error(`${name}: ${parsed.message}`);
    // What is only looked for needs no name, and no metadata at all.
    const objects = parsed.values.map(
      (value) => ({ metadata: {}, ...(value as JsonObject) }) as unknown as KubernetesObject,
    );
    return [{ index: Number(index), what, objects }];
  });
  const indexes = [...new Set(files.map(({ index }) => index))].toSorted(
    (one, other) => one - other,
  );
  return indexes.map((index) => {
    const of = (isWanted: (what: string) => boolean): readonly KubernetesObject[] =>
      files
        .filter((file) => file.index === index && isWanted(file.what))
        .flatMap(({ objects }) => objects);
    return {
      index,
      applied: of((what) => !what.startsWith("assert") && !what.startsWith("errors")),
      asserted: of((what) => what.startsWith("assert")),
      errors: of((what) => what.startsWith("errors")),
    };
  });
}

/** Carries a step out, and waits until everything is as it says; gives back what did not become so. */
export async function runKuttlStep(
  cluster: Cluster,
  { index, applied, asserted, errors }: KuttlStep,
  timeoutMs: number,
): Promise<readonly string[]> {
  for (const object of applied) await createOrPatch(cluster, object);
  const end = Date.now() + timeoutMs;
  for (;;) {
    const missing = await Promise.all(asserted.map((each) => whyMissing(cluster, each)));
    const present = await Promise.all(
      errors.map(async (each) =>
        (await whyMissing(cluster, each)) === undefined ? `${nameOf(each)} is there` : undefined,
      ),
    );
    const found = [...missing, ...present].filter((each) => each !== undefined);
    if (found.length === 0 || Date.now() > end)
      return found.map((each) => `step ${index}: ${each}`);
    await pause(50);
  }
}

/** What is there already is patched: fields that a later step does not name stay. */
async function createOrPatch(cluster: Cluster, object: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const { name = "", namespace = cluster.namespace } = metadata;
  const { namespaced } = await cluster.resource({ apiVersion, kind });
  const reference = { apiVersion, kind, name, ...(namespaced ? { namespace } : {}) };
  if (name !== "" && (await cluster.find(reference)) !== undefined)
    await cluster.patch(reference, "merge", object as unknown as JsonValue);
  else await cluster.create(object);
}

function nameOf({ kind, metadata: { name } }: KubernetesObject): string {
  return `${kind} ${name ?? "of any name"}`;
}

/** What keeps a cluster from having an object like this one; undefined when it has one. */
async function whyMissing(cluster: Cluster, wanted: KubernetesObject): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = wanted;
  const { name, labels = {} } = metadata;
  const namespace = metadata.namespace ?? cluster.namespace;
  const { namespaced } = await cluster.resource({ apiVersion, kind });
  const { items } = await cluster.list({ apiVersion, kind }, namespaced ? { namespace } : {});
  const candidates = items.filter(
    ({ metadata: found }) =>
      (name === undefined || found.name === name) &&
      (name !== undefined ||
        Object.entries(labels).every(([key, value]) => found.labels?.[key] === value)),
  );
  if (candidates.length === 0) return `${nameOf(wanted)} is not there`;
  const differences = candidates.map((each) =>
    difference(
      wanted as unknown as JsonValue,
      { ...each, apiVersion, kind } as unknown as JsonValue,
    ),
  );
  if (differences.includes(undefined)) return undefined;
  return `${nameOf(wanted)}: ${differences[0] ?? ""}`;
}

/** Where a value is not a part of another: maps may have more, lists must be as long. */
function difference(
  wanted: JsonValue,
  found: JsonValue | undefined,
  path = "",
): string | undefined {
  if (isJsonObject(wanted) && isJsonObject(found)) {
    for (const [key, value] of Object.entries(wanted)) {
      const inside = difference(value, found[key], `${path}.${key}`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    for (const [index, value] of wanted.entries()) {
      const inside = difference(value, found[index], `${path}[${index}]`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  return wanted === found
    ? undefined
    : `${path} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
}
