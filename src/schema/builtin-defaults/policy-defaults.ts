import { type JsonObject, objectAt } from "../../json/index.ts";
import {
  type DefaultsByType,
  ensureObject,
  isSet,
  setDefault,
  setNumber,
} from "./type-defaults.ts";

const rbacGroup = "rbac.authorization.k8s.io";

/** Who may do what, what runs first, how far things scale, and who is asked. */
export const policyDefaults: DefaultsByType = {
  "core.v1.Namespace": (namespace) => {
    const metadata = ensureObject(namespace, "metadata");
    const { name } = metadata;
    if (typeof name !== "string" || name === "") return;
    ensureObject(metadata, "labels")["kubernetes.io/metadata.name"] = name;
  },
  "core.v1.NamespaceStatus": (status) => setDefault(status, "phase", "Active"),
  "core.v1.Secret": (secret) => setDefault(secret, "type", "Opaque"),
  "rbac.v1.RoleBinding": defaultRoleRef,
  "rbac.v1.ClusterRoleBinding": defaultRoleRef,
  "rbac.v1.Subject": (subject) => {
    if (subject["kind"] === "User" || subject["kind"] === "Group") {
      setDefault(subject, "apiGroup", rbacGroup);
    }
  },
  "scheduling.v1.PriorityClass": (priority) =>
    setDefault(priority, "preemptionPolicy", "PreemptLowerPriority"),
  "flowcontrol.v1.FlowSchemaSpec": (spec) => setNumber(spec, "matchingPrecedence", 1000),
  "flowcontrol.v1.QueuingConfiguration": (queuing) => {
    setNumber(queuing, "queues", 64);
    setNumber(queuing, "handSize", 8);
    setNumber(queuing, "queueLengthLimit", 50);
  },
  "resource.v1.ExactDeviceRequest": defaultDevices,
  "resource.v1.DeviceSubRequest": defaultDevices,
  "resource.v1.DeviceToleration": (toleration) => setDefault(toleration, "operator", "Equal"),
  "autoscaling.v1.HorizontalPodAutoscaler": (autoscaler) => {
    const spec = ensureObject(autoscaler, "spec");
    setDefault(spec, "minReplicas", 1);
    setDefault(spec, "targetCPUUtilizationPercentage", 80);
  },
  "autoscaling.v2.HorizontalPodAutoscaler": (autoscaler) => {
    const spec = ensureObject(autoscaler, "spec");
    setDefault(spec, "minReplicas", 1);
    if (!isSet(spec, "metrics")) spec["metrics"] = [busyProcessor()];
    const behavior = objectAt(spec, "behavior");
    if (behavior === undefined) return;
    behavior["scaleUp"] = { ...quickScaleUp(), ...objectAt(behavior, "scaleUp") };
    behavior["scaleDown"] = { ...fullScaleDown(), ...objectAt(behavior, "scaleDown") };
  },
  "admissionregistration.v1.ValidatingWebhook": defaultWebhook,
  "admissionregistration.v1.MutatingWebhook": (webhook) => {
    defaultWebhook(webhook);
    setDefault(webhook, "reinvocationPolicy", "Never");
  },
  "admissionregistration.v1.RuleWithOperations": (rule) => setDefault(rule, "scope", "*"),
  "admissionregistration.v1.NamedRuleWithOperations": (rule) => setDefault(rule, "scope", "*"),
  "admissionregistration.v1.ServiceReference": (service) => setDefault(service, "port", 443),
  "admissionregistration.v1.ValidatingAdmissionPolicySpec": (spec) =>
    setDefault(spec, "failurePolicy", "Fail"),
  "admissionregistration.v1.MutatingAdmissionPolicySpec": (spec) =>
    setDefault(spec, "failurePolicy", "Fail"),
  "admissionregistration.v1.MatchResources": (match) => {
    setDefault(match, "matchPolicy", "Equivalent");
    ensureObject(match, "namespaceSelector");
    ensureObject(match, "objectSelector");
  },
};

/** One device, where a request does not say how many. */
function defaultDevices(request: JsonObject): void {
  if (request["allocationMode"] === "") delete request["allocationMode"];
  setDefault(request, "allocationMode", "ExactCount");
  if (request["allocationMode"] === "ExactCount") setNumber(request, "count", 1);
}

function defaultRoleRef(binding: JsonObject): void {
  setDefault(ensureObject(binding, "roleRef"), "apiGroup", rbacGroup);
}

function defaultWebhook(webhook: JsonObject): void {
  setDefault(webhook, "failurePolicy", "Fail");
  setDefault(webhook, "matchPolicy", "Equivalent");
  ensureObject(webhook, "namespaceSelector");
  ensureObject(webhook, "objectSelector");
  setDefault(webhook, "timeoutSeconds", 10);
}

function busyProcessor(): JsonObject {
  return {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
  };
}

function quickScaleUp(): JsonObject {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  };
}

function fullScaleDown(): JsonObject {
  return { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
}
