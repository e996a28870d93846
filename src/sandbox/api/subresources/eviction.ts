import { isJsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import { timestamp } from "../../clock.ts";
import { type ApiContext, isDryRun, type ResourceRequest } from "../api-context.ts";
import { decodeBody } from "../decode-body.ts";
import { deleteObject } from "../delete.ts";
import { type DeleteBody, readDeleteOptions } from "../delete-options.ts";
import { matchesLabels, parseLabelSelector } from "../label-selector.ts";
import type { CompleteResponse } from "../request.ts";
import { StatusError, badRequest, notFoundStatus } from "../status.ts";
import { selectorText } from "../tables/format-cells.ts";
import { at, numberAt, recordAt, textIn } from "../tables/read-fields.ts";
import { done } from "./answers.ts";

const budgets = "policy/poddisruptionbudgets";

/** Deletes a pod if the budget that speaks of it allows one more to be missing. */
export function evictPod(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  const options = readOptions(request);
  const dryRun = isDryRun(request.request) || options.dryRun;
  if (needsBudget(stored.object)) spendBudget(context, stored.object, dryRun);
  if (!dryRun) deleteObject(context, request, options.delete);
  return done();
}

interface EvictionOptions {
  readonly delete: DeleteBody;
  readonly dryRun: boolean;
}

/** An eviction carries the options of the deletion it asks for. */
function readOptions({ request, path }: ResourceRequest): EvictionOptions {
  const body = decodeBody(request.body, request.contentType);
  if (!isJsonObject(body)) throw badRequest("the eviction is no object");
  const name = textIn(body, "metadata.name");
  if (name !== "" && name !== path.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const options = recordAt(body, "deleteOptions");
  const asDeletion = { ...request, body: JSON.stringify(options), contentType: "application/json" };
  const { dryRun } = options;
  return {
    delete: readDeleteOptions(asDeletion),
    dryRun: Array.isArray(dryRun) && dryRun.includes("All"),
  };
}

function needsBudget(pod: KubernetesObject): boolean {
  const phase = textIn(pod, "status.phase");
  return (
    pod.metadata.deletionTimestamp === undefined &&
    phase !== "Succeeded" &&
    phase !== "Failed" &&
    phase !== "Pending"
  );
}

function spendBudget({ store, clock }: ApiContext, pod: KubernetesObject, dryRun: boolean): void {
  const { namespace = "", name = "" } = pod.metadata;
  const matching = store
    .list(budgets, namespace)
    .map(({ object }) => object)
    .filter((budget) => covers(budget, pod));
  if (matching.length > 1) {
    const message =
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw new StatusError(500, "InternalError", message);
  }
  const [budget] = matching;
  if (budget === undefined) return;
  const allowed = Number(numberAt(budget, "status.disruptionsAllowed"));
  if (allowed <= 0) throw violated(budget);
  if (dryRun) return;
  const status = recordAt(budget, "status");
  const disrupted = recordAt(budget, "status.disruptedPods");
  store.put(budgets, {
    ...budget,
    status: {
      ...status,
      disruptedPods: { ...disrupted, [name]: timestamp(clock.now()) },
      disruptionsAllowed: allowed - 1,
    },
  });
}

function covers(budget: KubernetesObject, pod: KubernetesObject): boolean {
  const selector = at(budget, "spec.selector");
  if (selector === undefined) return false;
  return matchesLabels(parseLabelSelector(selectorText(selector)), pod.metadata.labels ?? {});
}

function violated(budget: KubernetesObject): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const needed = numberAt(budget, "status.desiredHealthy");
  const healthy = numberAt(budget, "status.currentHealthy");
  return new StatusError(429, "TooManyRequests", message, {
    causes: [
      {
        reason: "DisruptionBudget",
        message: `The disruption budget ${budget.metadata.name ?? ""} needs ${needed} healthy pods and has ${healthy} currently`,
      },
    ],
  });
}
