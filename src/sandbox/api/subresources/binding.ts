import { isJsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import { timestamp } from "../../clock.ts";
import { type ApiContext, isDryRun, type ResourceRequest } from "../api-context.ts";
import { decodeBody } from "../decode-body.ts";
import type { CompleteResponse } from "../request.ts";
import { badRequest, conflict, invalidStatus, notFoundStatus } from "../status.ts";
import { listAt, textIn } from "../tables/read-fields.ts";
import { done } from "./answers.ts";

const bindings = { group: "", resource: "pods/binding" };

/** Puts a pod on a node, as a scheduler does. */
export function createBinding(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const body = decodeBody(request.request.body, request.request.contentType);
  if (!isJsonObject(body)) throw badRequest("the binding is no object");
  const name = request.path.name === "" ? textIn(body, "metadata.name") : request.path.name;
  const node = textIn(body, "target.name");
  if (node === "") {
    throw invalidStatus({ group: "", kind: "Binding" }, name, [
      { type: "FieldValueRequired", field: "target.name", detail: "Required value" },
    ]);
  }
  const { store } = context;
  const stored = store.get("/pods", request.path.namespace, name);
  if (stored === undefined) throw notFoundStatus({ group: "", resource: "pods" }, name);
  const pod = stored.object;
  requireUnbound(pod, name, node);
  if (!isDryRun(request.request)) store.put("/pods", bound(pod, node, context));
  return done();
}

function requireUnbound(pod: KubernetesObject, name: string, node: string): void {
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(bindings, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const current = textIn(pod, "spec.nodeName");
  if (current !== "") {
    throw conflict(bindings, name, `pod ${name} is already assigned to node "${current}"`);
  }
  if (listAt(pod, "spec.schedulingGates").length > 0) {
    throw conflict(bindings, name, `pod ${name} has non-empty .spec.schedulingGates (${node})`);
  }
}

function bound(pod: KubernetesObject, node: string, { clock }: ApiContext): KubernetesObject {
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock.now()),
  };
  const others = listAt(pod, "status.conditions").filter(
    (each) => textIn(each, "type") !== "PodScheduled",
  );
  return {
    ...pod,
    spec: { ...(pod["spec"] as object), nodeName: node },
    status: { ...(pod["status"] as object), conditions: [...others, scheduled] },
  };
}
