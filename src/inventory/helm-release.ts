import { gunzipSync } from "node:zlib";
import { type Cluster, referenceTo } from "../cluster/index.ts";
import { fail, shellWord } from "../diagnostics/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** What Helm has installed under one name, as its Secrets or ConfigMaps tell it. */
export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  /** The YAML of what Helm applied: of the deployed revision, and of newer ones that failed. */
  readonly manifests: readonly string[];
  /** The YAML of its hooks. */
  readonly hooks: readonly string[];
  /** The YAML of the definitions in `crds/`, which Helm creates and never deletes. */
  readonly definitions: readonly string[];
  /** Of all its revisions, what Helm stores them in: Secrets, or ConfigMaps with `HELM_DRIVER=configmap`. */
  readonly records: readonly KubernetesObject[];
}

const releaseType = "helm.sh/release.v1";
const recordPrefix = "sh.helm.release.v1.";
const mostBytes = 64 * 1024 * 1024;

/** Reads a release; refuses one that is not there, or that Helm is not done with. */
export async function readHelmRelease(
  cluster: Cluster,
  namespace: string,
  name: string,
): Promise<HelmRelease> {
  const secrets = await recordsOf(cluster, "Secret", namespace, name);
  const found =
    secrets.length > 0 ? secrets : await recordsOf(cluster, "ConfigMap", namespace, name);
  const records = found.toSorted((one, other) => revisionOf(other) - revisionOf(one));
  const deployed = requireDeployed(records, namespace, name);
  const revisions = records.slice(0, deployed + 1).map(contentOf);
  const [newest = {}] = revisions;
  const chart = asObject(newest["chart"]);
  return {
    name,
    namespace,
    manifests: revisions.map(({ manifest }) => textOf(manifest)),
    hooks: revisions.flatMap(({ hooks }) => listOf(hooks).map((hook) => textOf(hook["manifest"]))),
    definitions: [chart, ...listOf(chart["dependencies"])].flatMap(definitionsOf),
    records,
  };
}

async function recordsOf(
  cluster: Cluster,
  kind: "ConfigMap" | "Secret",
  namespace: string,
  name: string,
): Promise<readonly KubernetesObject[]> {
  const labelSelector = `owner=helm,name=${name}`;
  const { items } = await cluster.list({ apiVersion: "v1", kind }, { namespace, labelSelector });
  return items.filter(
    ({ metadata, type }) =>
      metadata.name?.startsWith(recordPrefix) === true &&
      (kind === "ConfigMap" || type === releaseType),
  );
}

/** The place of the deployed revision among all, the newest of which comes first. */
function requireDeployed(
  records: readonly KubernetesObject[],
  namespace: string,
  name: string,
): number {
  const [newest] = records;
  if (newest === undefined)
    return fail({
      code: "live.release-missing",
      summary: `there is no Helm release ${name} in the namespace ${namespace}`,
      hint: "`helm list --all-namespaces` shows releases; name the namespace with --namespace.",
    });
  const status = statusOf(newest);
  const deployed = records.findIndex((record) => statusOf(record) === "deployed");
  if (deployed >= 0 && !/^pending-|^uninstalling$/.test(status)) return deployed;
  return fail({
    code: "live.release-not-deployed",
    summary: `the Helm release ${name} is not deployed: revision ${revisionOf(newest)} is ${status}`,
    hint: `Let Helm end it first; \`helm history ${shellWord(name)} --namespace ${shellWord(namespace)}\` shows what it did.`,
  });
}

function revisionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.labels?.["version"] ?? 0);
}

function statusOf({ metadata }: KubernetesObject): string {
  return metadata.labels?.["status"] ?? "unknown";
}

/** Helm stores JSON, compressed, as text, which a Secret encodes once more. */
function contentOf(record: KubernetesObject): JsonObject {
  const { release } = asObject(record["data"] as JsonValue | undefined);
  const text = textOf(release);
  try {
    const stored = Buffer.from(record.kind === "Secret" ? atob(text) : text, "base64");
    const isCompressed = stored[0] === 0x1f && stored[1] === 0x8b;
    const json = isCompressed ? gunzipSync(stored, { maxOutputLength: mostBytes }) : stored;
    const content = parseJson(json.toString("utf8"));
    if (isJsonObject(content)) return content;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
  }
  return fail({
    code: "live.release-unreadable",
    summary: `the ${record.kind} ${referenceTo(record).name} does not hold a Helm release`,
    hint: `If \`helm status\` cannot read it either, restore the ${record.kind} or delete it.`,
  });
}

function definitionsOf(chart: JsonObject): readonly string[] {
  return listOf(chart["files"])
    .filter(({ name }) => textOf(name).startsWith("crds/"))
    .map(({ data }) => Buffer.from(textOf(data), "base64").toString("utf8"));
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
