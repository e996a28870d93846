import { setTimeout as pause } from "node:timers/promises";
import {
  type Cluster,
  isApiError,
  type ObjectKind,
  referenceTo,
  untilAnswered,
} from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import { fieldAt, objectsIn } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { type Readiness, readinessOf } from "../readiness/index.ts";
import { fieldManager } from "./group-names.ts";
import {
  definitionVersion,
  definitionVersionAnnotation,
  groupDefinition,
} from "./group-definition.ts";

/** Makes the kind ResourceGroup known to the cluster: written only when it is absent or older. */
export function ensureGroupDefinition(
  cluster: Cluster,
  signal?: AbortSignal,
): ReturnType<typeof ensureDefinition> {
  return ensureDefinition(cluster, groupDefinition, signal);
}

/**
 * Makes one of our own kinds known to the cluster: written only when it is absent or older. Who may not
 * look at definitions, or write them, takes the kind as it is served; `older` says that it lacks something, `newer`
 * that a newer Keelson wrote it, whose fields must not be lost.
 */
export async function ensureDefinition(
  cluster: Cluster,
  definition: KubernetesObject,
  signal?: AbortSignal,
): Promise<"current" | "older" | "newer"> {
  try {
    const found = await install(cluster, definition, signal);
    return found !== undefined && isNewerDefinition(found) ? "newer" : "current";
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
    // Somebody else may have installed it since the kinds were asked for.
    const resources = await cluster.refreshResources();
    const group = String(fieldAt(definition, "spec", "group"));
    const kind = String(fieldAt(definition, "spec", "names", "kind"));
    if (resources.preferred(group, kind) === undefined) throw error;
    const found = await cluster.find(referenceTo(definition)).catch(() => undefined);
    return found !== undefined && isOlder(found) ? "older" : "current";
  }
}

async function install(
  cluster: Cluster,
  definition: KubernetesObject,
  signal: AbortSignal | undefined,
): Promise<KubernetesObject | undefined> {
  const found = await cluster.find(referenceTo(definition), signal === undefined ? {} : { signal });
  const isThere = found !== undefined && !isOlder(found);
  // Whoever wrote it a moment ago waits for it, too.
  if (isThere && readinessOf(found, { now: 0 }).status === "Current") return found;
  if (!isThere) await cluster.apply(definition, { fieldManager, force: true });
  const verdict = await definitionVerdict(cluster, definition, signal);
  if (verdict.status !== "Current") {
    fail({
      code: "live.definition-refused",
      summary: `the definition ${definition.metadata.name ?? ""} cannot be installed: ${verdict.message}`,
      hint: `kubectl describe customresourcedefinition ${definition.metadata.name ?? ""}`,
    });
  }
  await cluster.refreshResources();
  await untilAnswered(cluster, kindDefinedBy(definition), signal);
  return found;
}

function kindDefinedBy(definition: KubernetesObject): ObjectKind {
  const [version] = objectsIn(fieldAt(definition, "spec", "versions"));
  const group = String(fieldAt(definition, "spec", "group"));
  return {
    apiVersion: `${group}/${String(fieldAt(version, "name"))}`,
    kind: String(fieldAt(definition, "spec", "names", "kind")),
  };
}

const establishedWithinMs = 60_000;
const firstPauseMs = 20;
const longestPauseMs = 1_000;

/** The first final verdict on the definition, or the last one when the time is over. */
async function definitionVerdict(
  cluster: Cluster,
  definition: KubernetesObject,
  signal: AbortSignal | undefined,
): Promise<Readiness> {
  const deadline = performance.now() + establishedWithinMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    signal?.throwIfAborted();
    const found = await cluster.find(referenceTo(definition));
    const verdict = readinessOf(found ?? definition, { now: 0 });
    const isFinal = verdict.status === "Current" || verdict.status === "Failed";
    if (isFinal || performance.now() > deadline) return verdict;
    await pause(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}

/** A definition that somebody else wrote is left alone: it has no number of ours. */
function isOlder(definition: KubernetesObject): boolean {
  return versionOf(definition) < definitionVersion;
}

/** Whether a newer Keelson wrote a definition: writing ours over it would lose its fields. */
export function isNewerDefinition(definition: KubernetesObject): boolean {
  return versionOf(definition) > definitionVersion;
}

/** Not a number where it is none of ours. */
function versionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.annotations?.[definitionVersionAnnotation]);
}
