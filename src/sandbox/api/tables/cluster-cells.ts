import type { KubernetesObject } from "../../../objects/index.ts";
import { aged, ageOf, humanDuration } from "./age.ts";
import type { CellsOf } from "./column.ts";
import { selectorText } from "./format-cells.ts";
import {
  at,
  booleanAt,
  conditionAt,
  listAt,
  numberAt,
  recordAt,
  textIn,
  textOr,
} from "./read-fields.ts";

const nameAndAge = aged(() => []);
const webhookCells = aged((object) => [listAt(object, "webhooks").length]);
const policyBindingCells = aged((object) => [
  textIn(object, "spec.policyName"),
  parameterText(object),
]);

/** The rows of configuration, policy and the cluster's own objects. */
export const clusterCells: Readonly<Record<string, CellsOf>> = {
  "/configmaps": aged((object) => [
    count(recordAt(object, "data")) + count(recordAt(object, "binaryData")),
  ]),
  "/secrets": aged((object) => [textIn(object, "type"), count(recordAt(object, "data"))]),
  "/serviceaccounts": nameAndAge,
  "/namespaces": aged((object) => [textIn(object, "status.phase")]),
  "/resourcequotas": aged((object) => [quotaText(object, false), quotaText(object, true)]),
  "/componentstatuses": (object) => {
    const healthy = listAt(object, "conditions").find((each) => textIn(each, "type") === "Healthy");
    const status = textIn(healthy, "status") === "True" ? "Healthy" : "Unhealthy";
    return [
      object.metadata.name,
      healthy === undefined ? "Unknown" : status,
      textIn(healthy, "message"),
      textIn(healthy, "error"),
    ];
  },
  "policy/poddisruptionbudgets": aged((object) => [
    textOr(object, "spec.minAvailable", "N/A"),
    textOr(object, "spec.maxUnavailable", "N/A"),
    numberAt(object, "status.disruptionsAllowed"),
  ]),
  "scheduling.k8s.io/priorityclasses": (object, now) => [
    object.metadata.name,
    numberAt(object, "value"),
    booleanAt(object, "globalDefault"),
    ageOf(object, now),
    textIn(object, "preemptionPolicy"),
  ],
  "coordination.k8s.io/leases": aged((object) => [textIn(object, "spec.holderIdentity")]),
  "node.k8s.io/runtimeclasses": aged((object) => [textIn(object, "handler")]),
  "certificates.k8s.io/certificatesigningrequests": (object, now) => [
    object.metadata.name,
    ageOf(object, now),
    textOr(object, "spec.signerName", "<none>"),
    textIn(object, "spec.username"),
    at(object, "spec.expirationSeconds") === undefined
      ? "<none>"
      : humanDuration(Number(numberAt(object, "spec.expirationSeconds")) * 1000),
    signingStatus(object),
  ],
  "rbac.authorization.k8s.io/rolebindings": bindingCells,
  "rbac.authorization.k8s.io/clusterrolebindings": bindingCells,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookCells,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookCells,
  "admissionregistration.k8s.io/validatingadmissionpolicies": aged((object) => [
    listAt(object, "spec.validations").length,
    parameterKind(object),
  ]),
  "admissionregistration.k8s.io/mutatingadmissionpolicies": aged((object) => [
    listAt(object, "spec.mutations").length,
    parameterKind(object),
  ]),
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": policyBindingCells,
  "admissionregistration.k8s.io/mutatingadmissionpolicybindings": policyBindingCells,
  "apiregistration.k8s.io/apiservices": aged((object) => [
    at(object, "spec.service") === undefined
      ? "Local"
      : `${textIn(object, "spec.service.namespace")}/${textIn(object, "spec.service.name")}`,
    availability(object),
  ]),
  "resource.k8s.io/deviceclasses": nameAndAge,
  "resource.k8s.io/resourceclaimtemplates": nameAndAge,
  "resource.k8s.io/resourceclaims": aged((object) => [claimState(object)]),
  "resource.k8s.io/resourceslices": aged((object) => [
    textIn(object, "spec.nodeName"),
    textIn(object, "spec.driver"),
    textIn(object, "spec.pool.name"),
  ]),
  "flowcontrol.apiserver.k8s.io/flowschemas": (object, now) => [
    object.metadata.name,
    textIn(object, "spec.priorityLevelConfiguration.name"),
    numberAt(object, "spec.matchingPrecedence"),
    textOr(object, "spec.distinguisherMethod.type", "<none>"),
    ageOf(object, now),
    conditionAt(object, "status.conditions", "Dangling") ?? "?",
  ],
  "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": aged((object) => [
    textIn(object, "spec.type"),
    at(object, "spec.limited.nominalConcurrencyShares") ?? "<none>",
    at(object, "spec.limited.limitResponse.queuing.queues") ?? "<none>",
    at(object, "spec.limited.limitResponse.queuing.handSize") ?? "<none>",
    at(object, "spec.limited.limitResponse.queuing.queueLengthLimit") ?? "<none>",
  ]),
};

function bindingCells(object: KubernetesObject, now: number): readonly unknown[] {
  const subjects = listAt(object, "subjects");
  const names = (kind: string): string =>
    subjects
      .filter((each) => textIn(each, "kind") === kind)
      .map((each) =>
        kind === "ServiceAccount"
          ? `${textIn(each, "namespace")}/${textIn(each, "name")}`
          : textIn(each, "name"),
      )
      .join(", ");
  return [
    object.metadata.name,
    `${textIn(object, "roleRef.kind")}/${textIn(object, "roleRef.name")}`,
    ageOf(object, now),
    names("User"),
    names("Group"),
    names("ServiceAccount"),
  ];
}

function parameterKind(policy: KubernetesObject): string {
  return at(policy, "spec.paramKind") === undefined
    ? "<unset>"
    : `${textIn(policy, "spec.paramKind.apiVersion")}/${textIn(policy, "spec.paramKind.kind")}`;
}

function parameterText(binding: KubernetesObject): string {
  const name = textIn(binding, "spec.paramRef.name");
  if (name !== "") return `${textOr(binding, "spec.paramRef.namespace", "*")}/${name}`;
  const selector = at(binding, "spec.paramRef.selector");
  return selector === undefined ? "<unset>" : selectorText(selector);
}

function quotaText(quota: KubernetesObject, limits: boolean): string {
  return Object.entries(recordAt(quota, "status.hard"))
    .filter(([resource]) => resource.startsWith("limits.") === limits)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([resource, hard]) => {
      const used = recordAt(quota, "status.used")[resource];
      return `${resource}: ${typeof used === "string" ? used : "0"}/${String(hard)}`;
    })
    .join(", ");
}

function signingStatus(request: KubernetesObject): string {
  const has = (type: string): boolean =>
    conditionAt(request, "status.conditions", type) !== undefined;
  const decision = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  const failed = has("Failed") ? ",Failed" : "";
  return `${decision}${failed}${textIn(request, "status.certificate") === "" ? "" : ",Issued"}`;
}

function availability(service: KubernetesObject): string {
  const condition = listAt(service, "status.conditions").find(
    (each) => textIn(each, "type") === "Available",
  );
  if (condition === undefined) return "Unknown";
  const status = textIn(condition, "status");
  return status === "True" ? status : `${status} (${textIn(condition, "reason")})`;
}

function claimState(claim: KubernetesObject): string {
  const isDeleted = claim.metadata.deletionTimestamp !== undefined;
  const states = isDeleted ? ["deleted"] : [];
  if (at(claim, "status.allocation") === undefined) {
    if (!isDeleted) states.push("pending");
  } else {
    states.push("allocated");
    if (listAt(claim, "status.reservedFor").length > 0) states.push("reserved");
  }
  return states.join(",");
}

function count(record: Readonly<Record<string, unknown>>): number {
  return Object.keys(record).length;
}
