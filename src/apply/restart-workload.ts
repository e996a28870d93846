import { type Cluster, referenceTo } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import { fieldAt } from "../json/index.ts";
import { formatIdentity, identityOf, type KubernetesObject } from "../objects/index.ts";
import type { Emit } from "../events/index.ts";
import { watchStatuses } from "./watch-statuses.ts";

export interface RestartOptions {
  readonly cluster: Cluster;
  /** Which object; only its identity is looked at. */
  readonly workload: KubernetesObject;
  /** When, as it is written into the pods. */
  readonly now: Date;
  readonly timeoutMs: number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** The annotation of `kubectl rollout restart`: pods with another value of it are other pods. */
const restartedAt = "kubectl.kubernetes.io/restartedAt";

const restartable: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** Whether an object has pods that can be replaced by new ones of the same kind. */
export function isRestartable({ apiVersion, kind }: KubernetesObject): boolean {
  return apiVersion.startsWith("apps/") && restartable.has(kind);
}

/** Replaces the pods of a workload by new ones, as its own rollout does it, and waits until they run. */
export async function restartWorkload(options: RestartOptions): Promise<void> {
  const { cluster, workload, now, timeoutMs, emit, signal } = options;
  const identity = identityOf(workload);
  await requireRolling(options);
  const annotations = { [restartedAt]: now.toISOString() };
  const patched = await cluster.patch(
    referenceTo(workload),
    "merge",
    { spec: { template: { metadata: { annotations } } } },
    // Another manager than that of an apply, which therefore leaves the annotation alone.
    { fieldManager: "keelson-restart", signal },
  );
  emit({ type: "apply", object: identityOf(patched), status: "successful", change: "configured" });
  const { statuses, isOver } = await watchStatuses({
    cluster,
    entries: [identity],
    isOver: (all) => all.every(({ readiness }) => ended.has(readiness.status)),
    deadline: Date.now() + timeoutMs,
    emit,
    signal,
  });
  const [found] = statuses;
  if (isOver && found?.readiness.status === "Current") return;
  fail({
    code: "live.restart",
    summary: `${formatIdentity(identity)} was restarted and is not ready: ${found?.readiness.message ?? "nobody knows how it is"}`,
    hint: "look at its pods and its log",
  });
}

/** Some take the change and do nothing about it. */
async function requireRolling({ cluster, workload, signal }: RestartOptions): Promise<void> {
  const live = await cluster.get(referenceTo(workload), { signal });
  const { kind, metadata } = workload;
  const what = `${formatIdentity(identityOf(workload))} cannot be restarted`;
  const name = `${kind.toLowerCase()}/${metadata.name ?? ""}`;
  if (fieldAt(live, "spec", "paused") === true)
    fail({
      code: "live.restart",
      summary: `${what} while it is paused`,
      hint: `kubectl rollout resume ${name}`,
    });
  if (fieldAt(live, "spec", "updateStrategy", "type") === "OnDelete")
    fail({
      code: "live.restart",
      summary: `${what}: its update strategy OnDelete leaves its pods to you`,
      hint: "delete its pods; it makes new ones",
    });
}

const ended: ReadonlySet<string> = new Set(["Current", "Failed", "NotFound"]);
