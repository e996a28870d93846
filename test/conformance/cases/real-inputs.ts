import { apply, type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, container, core, definition, definitions, podTemplate } from "./paths.ts";
import { specSchema, withDefinition as definedSteps } from "./with-definition.ts";

/** What people's manifests have in them, and whether it is taken. */
const verdict: Partial<Step> = { keep: ["code", "reason", "details", "metadata.namespace"] };

function tried(path: string, body: object): Step {
  return jsonStep("POST", `${path}?dryRun=All`, body, verdict);
}

/** One case with a step for each body. */
function eachTried(name: string, path: string, bodies: readonly object[]): ConformanceCase {
  return { name, steps: bodies.map((body) => tried(path, body)) };
}

const plain = { name: "a-{id}", finalizers: ["plain.example.com"] };
const registration = "/apis/admissionregistration.k8s.io/v1";
const scoped = (group: string, plural: string): string =>
  `/apis/${group}/v1/namespaces/{ns}/${plural}`;
const rbac = "/apis/rbac.authorization.k8s.io/v1";

const webhook = {
  name: "a.example.com",
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  clientConfig: { url: "https://example.com/hook" },
};
const service = { name: "s", namespace: "n" };
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };

/** Webhooks that differ from a good one in one thing. */
const webhooks: readonly object[] = [
  {},
  { name: "short" },
  { name: "" },
  { sideEffects: undefined },
  { sideEffects: "Some" },
  { sideEffects: "Unknown" },
  { sideEffects: "NoneOnDryRun" },
  { admissionReviewVersions: undefined },
  { admissionReviewVersions: [] },
  { admissionReviewVersions: ["v2"] },
  { admissionReviewVersions: ["v1", "v1"] },
  { admissionReviewVersions: ["v1", "x y"] },
  { clientConfig: undefined },
  { clientConfig: {} },
  { clientConfig: { url: "https://example.com", service } },
  { clientConfig: { url: "http://example.com" } },
  { clientConfig: { url: "https://user:pass@example.com" } },
  { clientConfig: { url: "https://example.com?a=b" } },
  { clientConfig: { url: "https://example.com#a" } },
  { clientConfig: { url: "https://" } },
  { clientConfig: { url: "%%" } },
  { clientConfig: { service } },
  { clientConfig: { service: { name: "s" } } },
  { clientConfig: { service: { namespace: "n" } } },
  { clientConfig: { service: { ...service, port: 0 } } },
  { clientConfig: { service: { ...service, port: 70_000 } } },
  { clientConfig: { service: { ...service, path: "a" } } },
  { clientConfig: { service: { ...service, path: "/a//b" } } },
  { clientConfig: { service: { ...service, path: "/a/b c" } } },
  { failurePolicy: "Sometimes" },
  { matchPolicy: "Sometimes" },
  { timeoutSeconds: 0 },
  { timeoutSeconds: 31 },
  { timeoutSeconds: 30 },
  { rules: [rule] },
  { rules: [{}] },
  { rules: [{ ...rule, operations: ["WATCH"] }] },
  { rules: [{ ...rule, operations: ["*", "CREATE"] }] },
  { rules: [{ ...rule, apiGroups: ["*", "a"] }] },
  { rules: [{ ...rule, apiVersions: [""] }] },
  { rules: [{ ...rule, apiVersions: ["*", "v1"] }] },
  { rules: [{ ...rule, resources: [""] }] },
  { rules: [{ ...rule, resources: ["*", "pods"] }] },
  { rules: [{ ...rule, resources: ["*/*", "pods"] }] },
  { rules: [{ ...rule, resources: ["pods/*", "pods/status"] }] },
  { rules: [{ ...rule, resources: ["*/status", "pods/status"] }] },
  { rules: [{ ...rule, scope: "Some" }] },
  { namespaceSelector: { matchLabels: { "a b": "c" } } },
  { objectSelector: { matchExpressions: [{ key: "a", operator: "Is" }] } },
  { matchConditions: [{ name: "a", expression: "true" }] },
  { matchConditions: [{ name: "a b", expression: "true" }] },
  { matchConditions: [{ name: "a", expression: "" }] },
  { matchConditions: [{ expression: "true" }] },
  {
    matchConditions: [
      { name: "a", expression: "true" },
      { name: "a", expression: "true" },
    ],
  },
];

function configuration(kind: string, list: readonly object[]): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "hooks-{id}" },
    webhooks: list,
  };
}

const ports = [{ port: 80 }];
const services: readonly object[] = [
  { ports, ipFamilyPolicy: "RequireDualStack" },
  { ports, ipFamilyPolicy: "PreferDualStack" },
  { ports, ipFamilies: ["IPv6"] },
  { ports, ipFamilies: ["IPv4", "IPv6"] },
  { ports, ipFamilies: ["IPv4", "IPv4"] },
  { ports, ipFamilies: ["IPv5"] },
  { ports, ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv4", "IPv6"] },
  { ports, ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv6"] },
  { ports, ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4", "IPv6"] },
  { ports, ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4", "IPv6"] },
  { ports, ipFamilyPolicy: "Other" },
  { ports, clusterIP: "1.2.3.4" },
  { ports, clusterIP: "::1" },
  { ports, clusterIP: "None", clusterIPs: ["None"] },
  { ports, clusterIP: "None", ipFamilies: ["IPv6"] },
  { ports, clusterIP: "None", ipFamilyPolicy: "RequireDualStack" },
  { ports, clusterIP: "None", ipFamilyPolicy: "RequireDualStack", selector: { a: "b" } },
  { ports, clusterIPs: ["None"] },
  { ports, clusterIP: "None", clusterIPs: ["1.2.3.4"] },
  { type: "ExternalName", externalName: "a.example.com", ipFamilies: ["IPv4"] },
  { type: "ExternalName", externalName: "a.example.com", ipFamilyPolicy: "SingleStack" },
  { type: "ExternalName", externalName: "a.example.com", clusterIP: "None" },
  { type: "ExternalName", externalName: "a.example.com", ports },
  { type: "LoadBalancer", ports, loadBalancerSourceRanges: ["1.2.3.4"] },
  { type: "LoadBalancer", ports, loadBalancerSourceRanges: ["1.2.3.0/24"] },
  { ports, loadBalancerSourceRanges: ["1.2.3.0/24"] },
  { ports, externalIPs: ["127.0.0.1"] },
  { ports, externalIPs: ["a"] },
  { ports, loadBalancerClass: "example.com/a" },
  { type: "LoadBalancer", ports, loadBalancerClass: "a" },
  { type: "LoadBalancer", ports, loadBalancerClass: "a b" },
  { ports, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } },
  {
    ports,
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
  },
  { ports, sessionAffinity: "ClientIP", sessionAffinityConfig: {} },
  { type: "NodePort", ports, healthCheckNodePort: 30_000 },
  { ports, allocateLoadBalancerNodePorts: true },
  { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] },
  { ports: [{ port: 80, appProtocol: "a b" }] },
  { ports: [{ port: 80, appProtocol: "kubernetes.io/h2c" }] },
  { ports, trafficDistribution: "PreferClose" },
  { ports, trafficDistribution: "Near" },
];

const backend = { service: { name: "s", port: { number: 80 } } };
const ingresses: readonly object[] = [
  { defaultBackend: backend, tls: [{ hosts: ["a.example.com"] }] },
  { defaultBackend: backend, tls: [{ hosts: ["*.example.com"] }] },
  { defaultBackend: backend, tls: [{ hosts: ["A_b"] }] },
  { defaultBackend: backend, tls: [{ hosts: ["*.*.example.com"] }] },
  { defaultBackend: backend, tls: [{ hosts: ["1.2.3.4"] }] },
  { defaultBackend: backend, tls: [{ secretName: "A" }] },
  { defaultBackend: backend, rules: [{ host: "A_b" }] },
  { defaultBackend: backend, rules: [{ host: "*a.example.com" }] },
  { defaultBackend: backend, rules: [{ host: "1.2.3.4" }] },
  { defaultBackend: backend, ingressClassName: "A" },
  { defaultBackend: { service: { name: "s" } } },
  { defaultBackend: { service: { name: "s", port: { number: 1, name: "a" } } } },
  { defaultBackend: { service: { name: "S", port: { number: 1 } } } },
  { defaultBackend: { resource: { kind: "A", name: "b", apiGroup: "c.example.com" } } },
  { defaultBackend: { ...backend, resource: { kind: "A", name: "b" } } },
];

const nullable = specSchema({
  a: { type: "object", properties: { b: { type: "string" } } },
  list: { type: "array", items: { type: "object", properties: { c: { type: "string" } } } },
  filled: { type: "object", default: {}, properties: { d: { type: "string", default: "x" } } },
  free: { type: "string", nullable: true },
  map: {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: { e: { type: "string", default: "y" }, f: { type: "string" } },
    },
  },
});

function thingWith(spec: unknown): object {
  return { apiVersion: "{id}.example.com/v1", kind: "Thing", metadata: { name: "a" }, spec };
}

const withNulls: readonly unknown[] = [
  { a: null },
  { a: { b: null } },
  { list: null },
  { list: [null] },
  { list: [{ c: null }] },
  { filled: null },
  { filled: { d: null } },
  { free: null },
  { map: { k: { e: null } } },
  { map: { k: { f: null } } },
  { map: { k: null } },
  null,
];

function withDefinition(name: string, version: object, steps: readonly Step[]): ConformanceCase {
  return { name, steps: definedSteps(version, steps) };
}

const oneThing = "/apis/{id}.example.com/v1/namespaces/{ns}/things/a";
const allThings = "/apis/{id}.example.com/v1/namespaces/{ns}/things";

const env = (fieldRef: object): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { containers: [{ ...container, env: [{ name: "A", valueFrom: { fieldRef } }] }] },
});

const autoscaler = (metrics: readonly object[]): object => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a" },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" }, metrics },
});

export const realInputCases: readonly ConformanceCase[] = [
  {
    name: "finalizers without a path",
    steps: [
      tried(`${core}/configmaps`, configMap("a", {}, plain)),
      tried(`${apps}/deployments`, {
        metadata: plain,
        spec: { selector: { matchLabels: { app: "a" } }, template: podTemplate },
      }),
      tried(scoped("networking.k8s.io", "networkpolicies"), {
        metadata: plain,
        spec: { podSelector: {} },
      }),
      tried(`${rbac}/clusterroles`, { metadata: plain, rules: [] }),
      tried(scoped("coordination.k8s.io", "leases"), { metadata: plain, spec: {} }),
      tried(scoped("policy", "poddisruptionbudgets"), { metadata: plain, spec: {} }),
      tried("/apis/storage.k8s.io/v1/storageclasses", { metadata: plain, provisioner: "a" }),
      tried("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: plain, value: 1 }),
      tried("/apis/node.k8s.io/v1/runtimeclasses", { metadata: plain, handler: "a" }),
      tried("/apis/networking.k8s.io/v1/ingressclasses", {
        metadata: plain,
        spec: { controller: "example.com/a" },
      }),
      tried(`${registration}/validatingwebhookconfigurations`, { metadata: plain, webhooks: [] }),
      tried("/apis/apiregistration.k8s.io/v1/apiservices", {
        metadata: { ...plain, name: "v1.{id}.example.com" },
        spec: {
          group: "{id}.example.com",
          version: "v1",
          groupPriorityMinimum: 1,
          versionPriority: 1,
          insecureSkipTLSVerify: true,
          service: { name: "a", namespace: "b" },
        },
      }),
      tried(definitions, {
        ...definition(),
        metadata: { name: "things.{id}.example.com", finalizers: ["plain.example.com"] },
      }),
    ],
  },
  withDefinition("finalizers without a path on custom objects", nullable, [
    tried(allThings, { ...thingWith({}), metadata: { name: "a", finalizers: ["plain", "a b"] } }),
    tried(allThings, { ...thingWith({}), metadata: { name: "a", finalizers: ["plain.example"] } }),
  ]),
  {
    name: "a namespace where there is none",
    steps: [
      jsonStep(
        "POST",
        `${rbac}/clusterroles`,
        { metadata: { name: "r-{id}", namespace: "n" } },
        verdict,
      ),
      apply(
        `${rbac}/clusterroles/r-{id}`,
        "one",
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "r-{id}", namespace: "n" },
          rules: [],
        },
        { ...verdict, force: true },
      ),
      apply(
        `${rbac}/clusterroles/s-{id}`,
        "one",
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "s-{id}", namespace: "n" },
          rules: [],
        },
        verdict,
      ),
      jsonStep(
        "PUT",
        `${rbac}/clusterroles/r-{id}`,
        { metadata: { name: "r-{id}", namespace: "n" }, rules: [] },
        verdict,
      ),
      jsonStep(
        "PATCH",
        `${rbac}/clusterroles/r-{id}`,
        { metadata: { namespace: "n" } },
        {
          ...verdict,
          contentType: "application/merge-patch+json",
        },
      ),
      jsonStep("GET", `${rbac}/clusterroles/r-{id}`, undefined, verdict),
    ],
  },
  ...["Validating", "Mutating"].map((kind) =>
    eachTried(
      `${kind.toLowerCase()} webhooks`,
      `${registration}/${kind.toLowerCase()}webhookconfigurations`,
      [
        ...webhooks.map((each) =>
          configuration(`${kind}WebhookConfiguration`, [{ ...webhook, ...each }]),
        ),
        configuration(`${kind}WebhookConfiguration`, [webhook, webhook]),
        ...(kind === "Mutating"
          ? ["Never", "IfNeeded", "Always"].map((reinvocationPolicy) =>
              configuration("MutatingWebhookConfiguration", [{ ...webhook, reinvocationPolicy }]),
            )
          : []),
      ],
    ),
  ),
  eachTried(
    "services and their addresses",
    `${core}/services`,
    services.map((spec) => ({ metadata: { name: "s" }, spec })),
  ),
  eachTried(
    "hosts and backends of an ingress",
    scoped("networking.k8s.io", "ingresses"),
    ingresses.map((spec) => ({ metadata: { name: "i" }, spec })),
  ),
  withDefinition(
    "null in custom objects",
    nullable,
    withNulls.flatMap((spec) => [
      jsonStep("POST", `${allThings}?dryRun=All`, thingWith(spec), {
        keep: ["code", "details", "spec"],
      }),
      apply(`${oneThing}?dryRun=All`, "one", thingWith(spec), {
        keep: ["code", "details", "spec"],
      }),
    ]),
  ),
  {
    name: "a definition without versions",
    steps: [undefined, null].flatMap((versions) => [
      tried(definitions, definition({}, { versions })),
      apply(
        `${definitions}/things.{id}.example.com?dryRun=All`,
        "one",
        definition({}, { versions }),
        verdict,
      ),
      tried(definitions, {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "things.{id}.example.com" },
        spec: { versions },
      }),
    ]),
  },
  withDefinition("a definition whose stored version goes", nullable, [
    apply(
      `${definitions}/things.{id}.example.com?dryRun=All`,
      "one",
      definition({ name: "v2", schema: { openAPIV3Schema: { type: "object" } } }),
      { ...verdict, force: true },
    ),
  ]),
  {
    name: "an apply of what was read",
    steps: [
      apply(
        `${core}/configmaps/a`,
        "one",
        configMap("a", {}, { managedFields: [{ manager: "x", operation: "Apply" }] }),
        verdict,
      ),
      apply(
        `${core}/configmaps/a`,
        "one",
        configMap("a", {}, { uid: "b6f0a4a0-0000-0000-0000-000000000000" }),
        verdict,
      ),
      jsonStep("POST", `${core}/configmaps`, configMap("a"), { prepare: true }),
      apply(
        `${core}/configmaps/a`,
        "one",
        configMap("a", {}, { uid: "b6f0a4a0-0000-0000-0000-000000000000" }),
        verdict,
      ),
      apply(
        `${core}/configmaps/a`,
        "one",
        configMap(
          "a",
          {},
          {
            uid: "b6f0a4a0-0000-0000-0000-000000000000",
            managedFields: [{ manager: "x", operation: "Apply" }],
          },
        ),
        verdict,
      ),
    ],
  },
  eachTried(
    "fields of the pod in its environment",
    `${core}/pods`,
    [
      { fieldPath: "metadata.name" },
      { fieldPath: "metadata.name", apiVersion: "v2" },
      { fieldPath: "metadata.myPath", apiVersion: "v2" },
      { fieldPath: "metadata.myPath" },
      { fieldPath: "" },
      { fieldPath: "metadata.labels['a']" },
      { fieldPath: "metadata.labels['a b']" },
      { fieldPath: "metadata.labels" },
      { fieldPath: "status.podIPs" },
      { fieldPath: "spec.containers" },
    ].map(env),
  ),
  eachTried(
    "metrics of an autoscaler",
    scoped("autoscaling", "x").replace(
      "/v1/namespaces/{ns}/x",
      "/v2/namespaces/{ns}/horizontalpodautoscalers",
    ),
    [
      autoscaler([{}]),
      autoscaler([{ type: "Other" }]),
      autoscaler([
        { type: "Resource", resource: { name: "cpu", target: { type: "Value", value: "1" } } },
      ]),
      autoscaler([{ type: "Resource" }]),
      autoscaler([
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } },
      ]),
      autoscaler([
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
        },
      ]),
      autoscaler([
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ]),
      autoscaler([
        {
          type: "Resource",
          resource: { name: "", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ]),
      autoscaler([
        {
          type: "Pods",
          pods: { metric: { name: "a" }, target: { type: "AverageValue", averageValue: "1" } },
        },
      ]),
      autoscaler([
        { type: "Pods", pods: { metric: { name: "a" }, target: { type: "Value", value: "1" } } },
      ]),
      autoscaler([
        {
          type: "External",
          external: { metric: { name: "" }, target: { type: "Value", value: "1" } },
        },
      ]),
      autoscaler([
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Value", value: "1" } },
          pods: { metric: { name: "a" }, target: { type: "AverageValue", averageValue: "1" } },
        },
      ]),
    ],
  ),
];
