/**
 * Figures of what nodes and pods use, as a metrics server would serve them. They are made up from
 * what was requested, so that they are the same in every run.
 */
import { apiVersionOf, type KubernetesObject } from "../../../objects/index.ts";
import { stringifyJson } from "../../../json/index.ts";
import { timestamp } from "../../clock.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { CompleteResponse } from "../request.ts";
import { readSelection } from "../selection.ts";
import { type ServedResource } from "../served-resource.ts";
import { methodNotAllowed, notFoundStatus } from "../status.ts";
import { at, listAt, textIn } from "../tables/read-fields.ts";
import { metricsGroup } from "./metrics-resources.ts";
import { sumOf, type Usage, usageOf, usageQuantities } from "./usage.ts";

const window = "15s";
const nodeBase: Usage = { cpu: 100, memory: 512 * 1024 };

export function isMetrics({ group }: ServedResource): boolean {
  return group === metricsGroup;
}

export function handleMetrics(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const { method } = request.request;
  if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(resource);
  const metricsOf = resource.resource === "pods" ? podMetrics : nodeMetrics;
  const measured = context.store
    .list(`/${resource.resource}`, path.namespace === "" ? undefined : path.namespace)
    .filter(({ object }) => isRunning(object));
  if (path.name !== "") {
    const found = measured.find(({ name }) => name === path.name);
    if (found === undefined) throw notFoundStatus(resource, path.name);
    return answer({ kind: resource.kind, ...head(resource), ...metricsOf(context, found.object) });
  }
  const { matches } = readSelection(request);
  const items = measured
    .filter(({ object }) => matches?.(object) ?? true)
    .map(({ object }) => metricsOf(context, object));
  return answer({ kind: resource.listKind, ...head(resource), metadata: {}, items });
}

/** Nodes are always measured, pods while they run. */
function isRunning(object: KubernetesObject): boolean {
  return object.kind !== "Pod" || textIn(object, "status.phase") === "Running";
}

function podMetrics(context: ApiContext, pod: KubernetesObject): object {
  return {
    ...measurement(context, pod),
    containers: listAt(pod, "spec.containers").map((container) => ({
      name: textIn(container, "name"),
      usage: usageQuantities(usageOf(container as Parameters<typeof usageOf>[0])),
    })),
  };
}

function nodeMetrics(context: ApiContext, node: KubernetesObject): object {
  const usages = context.store
    .list("/pods")
    .filter(({ object }) => isRunning(object) && at(object, "spec.nodeName") === node.metadata.name)
    .flatMap(({ object }) => listAt(object, "spec.containers"))
    .map((container) => usageOf(container as Parameters<typeof usageOf>[0]));
  return { ...measurement(context, node), usage: usageQuantities(sumOf([nodeBase, ...usages])) };
}

function measurement({ clock }: ApiContext, { metadata }: KubernetesObject): object {
  const { name, namespace, labels, creationTimestamp } = metadata;
  return {
    metadata: { name, namespace, labels, creationTimestamp },
    timestamp: timestamp(clock.now()),
    window,
  };
}

function head(resource: ServedResource): { readonly apiVersion: string } {
  return { apiVersion: apiVersionOf(resource) };
}

function answer(body: object): CompleteResponse {
  return {
    kind: "complete",
    status: 200,
    contentType: "application/json",
    body: `${stringifyJson(body)}\n`,
  };
}
