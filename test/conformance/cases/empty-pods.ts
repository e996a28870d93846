import { apply, type ConformanceCase, jsonStep } from "../case.ts";

const pods = "/api/v1/namespaces/{ns}/pods";
const templates = "/api/v1/namespaces/{ns}/podtemplates";

function pod(rest: object): unknown {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "empty" }, ...rest };
}

const init = { initContainers: [{ name: "a", image: "a" }] };

/** Pods without a container, however that is said. */
export const emptyPodCases: readonly ConformanceCase[] = [
  ...Object.entries({
    "no spec": {},
    "null for a spec": { spec: null },
    "an empty spec": { spec: {} },
    "no containers in a list": { spec: { containers: [] } },
    "null for containers": { spec: { containers: null } },
    "only init containers": { spec: init },
    "null for a container": { spec: { containers: [null] } },
    "a container without a name": { spec: { containers: [{}] } },
  }).map(([name, rest]) => ({ name, steps: [jsonStep("POST", pods, pod(rest))] })),
  { name: "applied", steps: [apply(`${pods}/empty`, "one", pod({ spec: {} }))] },
  {
    name: "a pod template",
    steps: [
      jsonStep("POST", templates, {
        apiVersion: "v1",
        kind: "PodTemplate",
        metadata: { name: "empty" },
        template: { metadata: { labels: { a: "b" } } },
      }),
      jsonStep("POST", templates, {
        apiVersion: "v1",
        kind: "PodTemplate",
        metadata: { name: "empty" },
      }),
    ],
  },
  {
    name: "a replication controller",
    steps: [
      jsonStep("POST", "/api/v1/namespaces/{ns}/replicationcontrollers", {
        metadata: { name: "empty" },
        spec: {
          selector: { a: "b" },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [] } },
        },
      }),
    ],
  },
  {
    name: "a controller of pods",
    steps: ["replicasets", "statefulsets", "daemonsets"].map((plural) =>
      jsonStep("POST", `/apis/apps/v1/namespaces/{ns}/${plural}`, {
        metadata: { name: "empty" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [] } },
        },
      }),
    ),
  },
];
