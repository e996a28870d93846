import type { Cause } from "../causes/index.ts";
import type { RunEvent, RuntimeStatus } from "../events/index.ts";
import {
  formatIdentity,
  helmHookOf,
  identityKey,
  identityOf,
  type KubernetesObject,
} from "../objects/index.ts";
import { type DevComponent, identitiesOf } from "./dev-component.ts";

type StatusEvent = Extract<RunEvent, { readonly type: "status" }>;

export interface RuntimeVerdict {
  readonly status: RuntimeStatus;
  readonly reason: string;
  readonly message: string;
  readonly cause?: Cause | undefined;
}

/** How a component runs, from how its objects are; the worst of them decides. */
export function runtimeOf(entry: DevComponent, pods: readonly KubernetesObject[]): RuntimeVerdict {
  const identities = identitiesOf(entry);
  if (identities.length === 0)
    return { status: "not_applicable", reason: "NoObjects", message: "it has no objects" };
  const { podReadiness, workload } = entry.component;
  const ignored =
    podReadiness === "ignore" && workload !== undefined
      ? `${workload.object.kind}/${workload.object.metadata.name ?? ""}`
      : undefined;
  const passing = passingHooks(entry);
  const watched = identities
    .filter(({ kind, name }) => `${kind}/${name}` !== ignored)
    .map((identity) => ({ identity, event: entry.readiness.get(identityKey(identity)) }));
  const known = watched.filter(
    ({ identity, event }) => event?.status !== "NotFound" || !passing.has(identityKey(identity)),
  );
  if (watched.length > 0 && known.length === 0)
    return { status: "ok", reason: "Completed", message: "the hook has succeeded, and is deleted" };
  const failed = known.find(({ event }) => event?.status === "Failed");
  if (failed?.event !== undefined) return verdict("error", failed.event);
  const waiting = known.find(({ event }) => !isReady(event));
  if (waiting !== undefined)
    return waiting.event === undefined
      ? {
          status: "pending",
          reason: "NotChecked",
          message: `${formatIdentity(waiting.identity)} was just written`,
        }
      : verdict("pending", waiting.event);
  if (podReadiness === "succeeded") {
    const open = pods.find((pod) => phaseOf(pod) !== "Succeeded");
    if (pods.length === 0 || open !== undefined) {
      const isFailed = open !== undefined && phaseOf(open) === "Failed";
      const name = open?.metadata.name ?? "its pod";
      return isFailed
        ? { status: "error", reason: "PodFailed", message: `${name} failed` }
        : { status: "pending", reason: "Running", message: `${name} has not succeeded yet` };
    }
  }
  return { status: "ok", reason: "Ready", message: readyMessage(known) };
}

/** The hooks of a component that go when they have succeeded; what was applied has succeeded. */
function passingHooks({ applied = [] }: DevComponent): ReadonlySet<string> {
  return new Set(
    applied
      .filter(({ object }) => helmHookOf(object)?.deletesSucceeded === true)
      .map(({ object }) => identityKey(identityOf(object))),
  );
}

/** A Job that only runs is good enough for an apply, not for those who wait for what it does. */
function isReady(event: StatusEvent | undefined): boolean {
  return (
    event?.status === "Current" && !(event.object.kind === "Job" && event.reason === "Running")
  );
}

function verdict(status: RuntimeStatus, event: StatusEvent): RuntimeVerdict {
  const { object, reason = event.status, message = event.status, cause } = event;
  if (cause === undefined)
    return { status, reason, message: `${formatIdentity(object)}: ${message}` };
  const about = cause.about ?? formatIdentity(object);
  return { status, reason, message, cause: { ...cause, about } };
}

function readyMessage(known: readonly { readonly event: StatusEvent | undefined }[]): string {
  const workloads = known.filter(({ event }) => (event?.message ?? "") !== "");
  const [only] = workloads;
  return workloads.length === 1
    ? (only?.event?.message ?? "")
    : `${known.length} objects are ready`;
}

function phaseOf(pod: KubernetesObject): string | undefined {
  return (pod["status"] as { readonly phase?: string } | undefined)?.phase;
}
