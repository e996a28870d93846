import { apply, type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, container, core, deployment, thing, things } from "./paths.ts";
import { specSchema, withDefinition } from "./with-definition.ts";

const d = `${apps}/deployments/d`;
const counted: Partial<Step> = { keep: ["metadata.generation", "code"] };
const patch = (path: string, body: object, rest: Partial<Step> = {}): Step =>
  jsonStep("PATCH", path, body, { ...counted, ...rest });
const post = (path: string, body: object): Step => jsonStep("POST", path, body, counted);
const batch = "/apis/batch/v1/namespaces/{ns}";
const job = (metadata: object, labels: object | undefined): object => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "j", ...metadata },
  spec: {
    suspend: true,
    template: {
      ...(labels === undefined ? {} : { metadata: { labels } }),
      spec: { restartPolicy: "Never", containers: [container] },
    },
  },
});
const labelled: Partial<Step> = {
  keep: ["metadata.labels", "metadata.generation", "spec.selector", "spec.template.metadata"],
};

/** What counts as a new wish. */
export const generationCases: readonly ConformanceCase[] = [
  {
    name: "a deployment",
    steps: [
      post(`${apps}/deployments`, deployment("d")),
      patch(d, { spec: { minReadySeconds: 1 } }),
      patch(d, { spec: { minReadySeconds: 1 } }),
      patch(d, { metadata: { labels: { a: "b" } } }),
      patch(d, { metadata: { annotations: { a: "b" } } }),
      patch(d, { metadata: { generation: 9 } }),
      patch(d, { spec: { template: { metadata: { annotations: { a: "b" } } } } }),
      jsonStep("PATCH", `${d}/scale`, { spec: { replicas: 0 } }, { keep: ["code"] }),
      jsonStep("GET", d, undefined, counted),
      patch(`${d}/status`, { spec: { minReadySeconds: 5 }, status: { observedGeneration: 1 } }),
      patch(`${d}?dryRun=All`, { spec: { minReadySeconds: 2 } }),
      jsonStep("GET", d, undefined, counted),
    ],
  },
  {
    name: "an apply that changes nothing",
    steps: [
      apply(d, "m1", deployment("d"), counted),
      apply(d, "m1", deployment("d"), counted),
      apply(
        d,
        "m2",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "d" },
          spec: { paused: true },
        },
        counted,
      ),
    ],
  },
  {
    name: "kinds that count nothing",
    steps: [
      post(`${core}/configmaps`, configMap("a")),
      patch(`${core}/configmaps/a`, { data: { a: "b" } }),
      post(`${core}/services`, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "s" },
        spec: { ports: [{ port: 1 }] },
      }),
      patch(`${core}/services/s`, { spec: { sessionAffinity: "ClientIP" } }),
      post(`${core}/serviceaccounts`, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "x" },
      }),
    ],
  },
  {
    name: "kinds that count",
    steps: [
      post("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies", {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "n" },
        spec: { podSelector: {} },
      }),
      patch("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies/n", {
        spec: { policyTypes: ["Egress"] },
      }),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "p" },
        spec: { minAvailable: 1, selector: { matchLabels: { none: "of-them" } } },
      }),
      patch("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/p", {
        spec: { minAvailable: 2 },
      }),
      post(`${batch}/cronjobs`, {
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: "c" },
        spec: {
          schedule: "0 0 1 1 *",
          suspend: true,
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
          },
        },
      }),
      patch(`${batch}/cronjobs/c`, { spec: { schedule: "0 0 2 1 *" } }),
      post("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses", {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "i" },
        spec: { defaultBackend: { service: { name: "x", port: { number: 1 } } } },
      }),
      patch("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i", {
        spec: { ingressClassName: "x" },
      }),
    ],
  },
  {
    name: "a deletion counts",
    steps: [
      jsonStep(
        "POST",
        `${apps}/deployments`,
        { ...deployment("d"), metadata: { name: "d", finalizers: ["example.com/hold"] } },
        counted,
      ),
      jsonStep("DELETE", d, undefined, counted),
      jsonStep("PATCH", d, { metadata: { finalizers: null } }, { prepare: true }),
    ],
  },
  {
    name: "custom resources",
    steps: withDefinition(specSchema({ x: { type: "integer" } }), [
      post(things, thing("a", { spec: { x: 1 } })),
      patch(`${things}/a`, { spec: { x: 2 } }),
      patch(`${things}/a`, { spec: { unknown: 2 } }),
      patch(`${things}/a`, { metadata: { labels: { a: "b" } } }),
    ]),
  },
  {
    name: "custom resources with a status",
    steps: withDefinition(
      {
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
        subresources: { status: {} },
      },
      [
        post(things, thing("a", { spec: { x: 1 }, other: 1 })),
        patch(`${things}/a`, { other: 2 }),
        patch(`${things}/a`, { status: { y: 2 } }),
        patch(`${things}/a/status`, { status: { y: 2 } }),
        patch(`${things}/a`, { spec: { x: 2 } }),
      ],
    ),
  },
  {
    name: "a job labels its pods",
    steps: [jsonStep("POST", `${batch}/jobs`, job({}, { x: "y" }), labelled)],
  },
  {
    name: "a job with labels of its own",
    steps: [jsonStep("POST", `${batch}/jobs`, job({ labels: { own: "1" } }, { x: "y" }), labelled)],
  },
  {
    name: "a job without any labels",
    steps: [jsonStep("POST", `${batch}/jobs`, job({}, undefined), labelled)],
  },
  {
    name: "a job that is applied",
    steps: [apply(`${batch}/jobs/j`, "m1", job({}, { x: "y" }), labelled)],
  },
];
