import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, isApiError } from "../../src/cluster/index.ts";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import type { CorpusObject } from "./corpus-objects.ts";

/** What a server said to an object. */
type Verdict = { readonly kind: "taken" } | { readonly kind: "refused"; readonly why: string };

const definition = "CustomResourceDefinition";
const mostRequests = 8;

/** Sends objects to two servers, and says of which they judge differently. */
export async function differentVerdicts(
  objects: readonly CorpusObject[],
  [one, other]: readonly Cluster[],
): Promise<readonly string[]> {
  if (one === undefined || other === undefined) throw new Error("there are not two servers");
  const found: string[] = [];
  const judge = async ({ file, object }: CorpusObject): Promise<void> => {
    const [left, right] = await Promise.all([verdictOf(one, object), verdictOf(other, object)]);
    if (left.kind === right.kind) return;
    const of = (verdict: Verdict): string =>
      verdict.kind === "taken" ? "taken" : `refused: ${verdict.why}`;
    const { kind, metadata } = object;
    found.push(`${file}: ${kind} ${metadata.name ?? ""}: real ${of(left)}; sandbox ${of(right)}`);
  };
  const definitions = objects.filter(({ object }) => object.kind === definition);
  await makeNamespaces(objects, [one, other]);
  // One after the other: some replace others of the same name.
  for (const each of definitions) await judge(each);
  for (const cluster of [one, other]) await untilEstablished(cluster);
  const queue = objects.filter(({ object }) => object.kind !== definition);
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await judge(next);
  };
  await Promise.all(Array.from({ length: mostRequests }, work));
  return found;
}

/** Only definitions stay: everything else is sent as a dry run, so that no object is in another's way. */
async function verdictOf(cluster: Cluster, object: CorpusObject["object"]): Promise<Verdict> {
  try {
    const dryRun = object.kind !== definition;
    await cluster.apply(object, { fieldManager: "corpus", force: true, dryRun });
    return { kind: "taken" };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { kind: "refused", why: error.diagnostics[0]?.summary ?? error.message };
  }
}

async function makeNamespaces(
  objects: readonly CorpusObject[],
  clusters: readonly Cluster[],
): Promise<void> {
  const names = new Set(objects.map(({ object }) => object.metadata.namespace ?? "default"));
  for (const cluster of clusters) {
    for (const name of names) {
      const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
      await cluster.apply(namespace, { fieldManager: "corpus", force: true }).catch(ignoreRefusal);
      await untilThere(cluster, name);
    }
  }
}

function ignoreRefusal(error: unknown): void {
  if (!isApiError(error)) throw error;
}

/** Pods are refused until their namespace has its service account. */
async function untilThere(cluster: Cluster, namespace: string): Promise<void> {
  const account = { apiVersion: "v1", kind: "ServiceAccount", name: "default", namespace };
  const exists = await cluster.find({ apiVersion: "v1", kind: "Namespace", name: namespace });
  if (exists === undefined) return;
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await cluster.find(account)) !== undefined) return;
    await pause(50);
  }
  throw new Error(`the namespace ${namespace} has no service account`);
}

async function untilEstablished(cluster: Cluster): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { items } = await cluster.list({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: definition,
    });
    const resources = await cluster.refreshResources();
    const isServed = items.every(({ spec }) => {
      const { group, names } = spec as { group: string; names: { kind: string } };
      return resources.preferred(group, names.kind) !== undefined;
    });
    if (isServed) return;
    await pause(100);
  }
  throw new Error("not all definitions are served");
}
