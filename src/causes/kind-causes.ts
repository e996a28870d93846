import type { KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { conditionOf, conditionsOf } from "./conditions.ts";
import { eventsOf } from "./events.ts";
import type { CauseFacts } from "./cause-facts.ts";
import { kubectlCommand } from "./kubectl-command.ts";
import { missingReference } from "./missing-reference.ts";

type KindCause = (object: KubernetesObject, facts: CauseFacts) => Cause | undefined;

/** What objects of some kinds say of themselves, by group and kind. */
export const kindCauses: Readonly<Record<string, KindCause | undefined>> = {
  "/PersistentVolumeClaim": claim,
  "/Service": service,
  "apiextensions.k8s.io/CustomResourceDefinition": definition,
  "apiregistration.k8s.io/APIService": apiService,
  "apps/Deployment": deployment,
  "autoscaling/HorizontalPodAutoscaler": autoscaler,
  "batch/Job": job,
};

function deployment(object: KubernetesObject): Cause | undefined {
  const { spec = {}, status = {} } = object as {
    readonly spec?: { readonly paused?: boolean; readonly replicas?: number };
    readonly status?: { readonly updatedReplicas?: number };
  };
  const { replicas = 1 } = spec;
  const updated = status.updatedReplicas ?? 0;
  if (spec.paused !== true || updated >= replicas) return undefined;
  return {
    reason: "Paused",
    summary: `the rollout is paused: ${updated} of ${replicas} pods are updated`,
    action: kubectlCommand("rollout resume", object),
    isFinal: false,
  };
}

function job(object: KubernetesObject): Cause | undefined {
  const failure = conditionOf(conditionsOf(object), "Failed");
  if (failure?.status !== "True") return undefined;
  const { spec = {}, status = {} } = object as {
    readonly spec?: { readonly activeDeadlineSeconds?: number; readonly backoffLimit?: number };
    readonly status?: { readonly failed?: number };
  };
  const { reason = "JobFailed", message } = failure;
  const failed = status.failed ?? 0;
  const words: Readonly<Record<string, string>> = {
    ...(failed === 0
      ? {}
      : {
          BackoffLimitExceeded: `given up after ${failed === 1 ? "1 failed pod" : `${failed} failed pods`}`,
        }),
    DeadlineExceeded: `took longer than its deadline of ${spec.activeDeadlineSeconds ?? "?"} s`,
  };
  return {
    reason,
    summary: words[reason] ?? message ?? "the Job has failed",
    evidence: message,
    since: failure.lastTransitionTime,
    action: kubectlCommand("logs", object),
    isFinal: true,
  };
}

function claim(object: KubernetesObject, facts: CauseFacts): Cause | undefined {
  const { status = {}, spec = {} } = object as {
    readonly status?: { readonly phase?: string };
    readonly spec?: { readonly volumeName?: string };
  };
  const { phase = "Pending" } = status;
  const action = kubectlCommand("describe", object);
  if (phase === "Lost")
    return {
      reason: "Lost",
      summary: `its volume ${spec.volumeName ?? ""} is gone`.replace("  ", " "),
      action,
      isFinal: true,
    };
  if (phase !== "Pending") return undefined;
  const event = eventsOf(object, facts).find(({ reason }) =>
    ["ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ClaimMisbound"].includes(reason),
  );
  if (event === undefined) return undefined;
  const isUnmatched = /no persistent volumes available/.test(event.message);
  return {
    reason: event.reason,
    summary:
      missingReference(event.message) ??
      (isUnmatched
        ? "no volume matches the claim, and it names no storage class"
        : `no volume is made: ${event.message.split(": ").at(-1) ?? event.message}`),
    evidence: event.message,
    since: event.first,
    action,
    isFinal: false,
  };
}

/** Known only where the slices of the Service are. */
function service(object: KubernetesObject, { childrenOf }: CauseFacts): Cause | undefined {
  const { spec = {} } = object as {
    readonly spec?: {
      readonly type?: string;
      readonly selector?: Readonly<Record<string, string>>;
    };
  };
  const slices = (childrenOf?.(object) ?? []).filter(({ kind }) => kind === "EndpointSlice");
  const selector = Object.entries(spec.selector ?? {});
  if (slices.length === 0 || selector.length === 0) return undefined;
  const endpoints = slices.flatMap(
    ({ endpoints: each }) =>
      (each ?? []) as readonly { readonly conditions?: { readonly ready?: boolean } }[],
  );
  if (endpoints.some(({ conditions }) => conditions?.ready !== false)) return undefined;
  const labels = selector.map(([key, value]) => `${key}=${value}`).join(",");
  const { namespace = "" } = object.metadata;
  return {
    reason: "NoEndpoints",
    summary:
      endpoints.length === 0
        ? `no pod has the labels ${labels}`
        : `none of its ${endpoints.length} pods is ready`,
    action: `kubectl get pods${namespace === "" ? "" : ` -n ${namespace}`} -l ${labels}`,
    isFinal: false,
  };
}

function definition(object: KubernetesObject): Cause | undefined {
  const accepted = conditionOf(conditionsOf(object), "NamesAccepted");
  if (accepted?.status !== "False") return undefined;
  return {
    reason: accepted.reason ?? "NamesNotAccepted",
    summary: `its names are taken: ${accepted.message ?? "another definition has them"}`,
    since: accepted.lastTransitionTime,
    action: "kubectl get crd",
    isFinal: true,
  };
}

function apiService(object: KubernetesObject): Cause | undefined {
  const available = conditionOf(conditionsOf(object), "Available");
  if (available?.status !== "False") return undefined;
  const { service: target } = (object["spec"] ?? {}) as {
    readonly service?: { readonly name?: string; readonly namespace?: string };
  };
  const name = `${target?.namespace ?? ""}/${target?.name ?? ""}`;
  const words: Readonly<Record<string, string>> = {
    ServiceNotFound: `its service ${name} does not exist`,
    MissingEndpoints: `its service ${name} has no endpoints`,
    EndpointsNotFound: `its service ${name} has no endpoints`,
    FailedDiscoveryCheck: `its service ${name} does not answer`,
  };
  return {
    reason: available.reason ?? "Unavailable",
    summary: words[available.reason ?? ""] ?? available.message ?? "its server does not answer",
    evidence: available.message,
    since: available.lastTransitionTime,
    action: kubectlCommand("describe", object),
    isFinal: false,
  };
}

function autoscaler(object: KubernetesObject): Cause | undefined {
  const conditions = conditionsOf(object);
  const able = conditionOf(conditions, "AbleToScale");
  const active = conditionOf(conditions, "ScalingActive");
  const found = [able, active].find(
    (each) => each?.status === "False" && each.reason !== "ScalingDisabled",
  );
  if (found === undefined) return undefined;
  const { reason = "", message = "" } = found;
  const resource =
    /(?:unable to get|failed to get) (\w+) (?:resource )?(?:metric|utilization)/.exec(message)?.[1];
  const isServed =
    !/could not find the requested resource|no metrics returned|unable to fetch metrics/.test(
      message,
    );
  const missing = /missing request for (\w+)/.exec(message)?.[1];
  return {
    reason,
    summary:
      reason === "FailedGetScale"
        ? "what it scales does not exist"
        : missing !== undefined
          ? `its pods request no ${missing}, which it scales by`
          : isServed
            ? `it has no metrics: ${message.split(": ").at(-1) ?? message}`
            : `no metrics of ${resource ?? "its pods"}: the cluster serves none`,
    evidence: message,
    since: found.lastTransitionTime,
    action: kubectlCommand("describe", object),
    isFinal: false,
  };
}
