import { type ConformanceCase, apply, jsonStep } from "../case.ts";
import {
  apps,
  core,
  definition,
  definitions,
  deployment,
  oneDefinition,
  pod,
  podTemplate,
  thing,
  things,
} from "./paths.ts";

const prepare = { prepare: true } as const;
const scaleBody = (replicas: number, metadata: object = { name: "a" }): object => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata,
  spec: { replicas },
});

/** Paused, with nothing to run: the controllers write nothing but a status. */
const still = [
  jsonStep("POST", `${apps}/deployments?fieldManager=maker`, deployment("a"), prepare),
] as const;
const owned = ["spec.replicas", "metadata.generation"] as const;
const scale = `${apps}/deployments/a/scale`;

const setUnhealthy = {
  status: {
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 1,
    expectedPods: 1,
    observedGeneration: 1,
  },
};

const scales: readonly ConformanceCase[] = [
  {
    name: "the scale of a deployment is read and written",
    steps: [
      ...still,
      jsonStep("GET", scale),
      jsonStep("PATCH", scale, { spec: { replicas: 2 } }),
      jsonStep("GET", `${apps}/deployments/a`, undefined, { keep: owned }),
    ],
  },
  {
    name: "a scale is refused",
    steps: [
      ...still,
      jsonStep("PUT", scale, scaleBody(-1)),
      jsonStep("PUT", scale, scaleBody(1, { name: "a", resourceVersion: "1" })),
      jsonStep("PUT", scale, scaleBody(1, { name: "b" })),
      jsonStep("PATCH", scale, { spec: { replicas: "x" } }, { keep: ["code", "reason"] }),
      jsonStep("GET", `${apps}/deployments/none/scale`),
      jsonStep("PATCH", `${apps}/deployments/none/scale`, { spec: { replicas: 1 } }),
      jsonStep("DELETE", scale),
      jsonStep("POST", scale, scaleBody(1)),
    ],
  },
  {
    name: "the scale of a replica set is put",
    steps: [
      jsonStep(
        "POST",
        `${apps}/replicasets`,
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          metadata: { name: "a" },
          spec: { replicas: 0, selector: { matchLabels: { app: "a" } }, template: podTemplate },
        },
        prepare,
      ),
      jsonStep("GET", `${apps}/replicasets/a/scale`, undefined, {
        keep: ["kind", "spec", "status", "metadata.name"],
      }),
      jsonStep("PUT", `${apps}/replicasets/a/scale?dryRun=All`, scaleBody(4), {
        keep: ["kind", "spec", "metadata.name"],
      }),
    ],
  },
  {
    name: "the scale of a replication controller",
    steps: [
      jsonStep(
        "POST",
        `${core}/replicationcontrollers`,
        {
          apiVersion: "v1",
          kind: "ReplicationController",
          metadata: { name: "a" },
          spec: { replicas: 0, selector: { app: "a", tier: "b" }, template: rcTemplate() },
        },
        prepare,
      ),
      jsonStep("GET", `${core}/replicationcontrollers/a/scale`, undefined, {
        keep: ["kind", "spec", "status"],
      }),
    ],
  },
  {
    name: "an applied scale owns the replicas",
    steps: [
      apply(`${apps}/deployments/a`, "maker", deployment("a"), { prepare: true, force: true }),
      apply(scale, "scaler", scaleBody(3)),
      apply(scale, "scaler", scaleBody(3), { force: true, keep: ["spec", "metadata.name"] }),
      jsonStep("GET", `${apps}/deployments/a?x=1`, undefined, { keep: owned }),
    ],
  },
  {
    name: "the scale of a custom resource",
    steps: [
      jsonStep(
        "POST",
        definitions,
        definition({
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.size",
              statusReplicasPath: ".status.size",
              labelSelectorPath: ".status.selector",
            },
          },
        }),
        prepare,
      ),
      jsonStep("GET", oneDefinition, undefined, {
        ...prepare,
        until: ["status.conditions.1.status", "True"],
      }),
      jsonStep("GET", things, undefined, { ...prepare, until: ["kind", "ThingList"] }),
      jsonStep("POST", `${things}?fieldManager=maker`, thing("a", { spec: { size: 1 } }), prepare),
      jsonStep("POST", things, thing("b"), prepare),
      jsonStep("GET", `${things}/a/scale`),
      jsonStep("PATCH", `${things}/a/scale`, { spec: { replicas: 5 } }),
      jsonStep("GET", `${things}/a`),
      jsonStep("GET", `${things}/b/scale`, undefined),
      jsonStep("PATCH", `${things}/b/scale`, { metadata: { name: "b" } }),
      jsonStep("GET", `${things}/none/scale`),
      apply(`${things}/a/scale`, "scaler", scaleBody(5)),
      jsonStep("GET", `${things}/a`, undefined, { keep: ["metadata.managedFields"] }),
    ],
  },
];

function rcTemplate(): object {
  return { ...podTemplate, metadata: { labels: { app: "a", tier: "b" } } };
}

/** Nobody but the case binds these. */
const freePod = pod("a", { schedulerName: "nobody" }, { labels: { app: "a" } });
const binding = (name: string): object => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name },
  target: { kind: "Node", name: "nowhere-{id}" },
});
const eviction = (name: string, deleteOptions?: object): object => ({
  apiVersion: "policy/v1",
  kind: "Eviction",
  metadata: { name },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

const pods: readonly ConformanceCase[] = [
  {
    name: "a pod is bound once",
    steps: [
      jsonStep("POST", `${core}/pods`, freePod, prepare),
      jsonStep("POST", `${core}/pods/a/binding`, binding("a")),
      jsonStep("GET", `${core}/pods/a`, undefined, {
        keep: ["spec.nodeName", "metadata.generation"],
      }),
      jsonStep("POST", `${core}/pods/a/binding`, binding("a")),
      jsonStep("POST", `${core}/pods/none/binding`, binding("none")),
      jsonStep("GET", `${core}/pods/a/binding`),
    ],
  },
  {
    name: "a pending pod is evicted whatever its budget says",
    steps: [
      jsonStep("POST", `${core}/pods`, freePod, prepare),
      jsonStep("POST", `${core}/pods/a/eviction`, eviction("b")),
      jsonStep("POST", `${core}/pods/none/eviction`, eviction("none")),
      jsonStep("POST", `${core}/pods/a/eviction?dryRun=All`, eviction("a")),
      jsonStep("POST", `${core}/pods/a/eviction`, eviction("a", { gracePeriodSeconds: 0 })),
      jsonStep("GET", `${core}/pods/a`),
    ],
  },
  {
    name: "a budget keeps a running pod",
    steps: [
      jsonStep("POST", `${core}/pods`, freePod, prepare),
      jsonStep("PATCH", `${core}/pods/a/status`, { status: { phase: "Running" } }, prepare),
      jsonStep(
        "POST",
        "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        {
          apiVersion: "policy/v1",
          kind: "PodDisruptionBudget",
          metadata: { name: "one" },
          spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
        },
        prepare,
      ),
      jsonStep("GET", "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/one", undefined, {
        ...prepare,
        until: ["metadata.name", "one"],
      }),
      jsonStep(
        "PATCH",
        "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/one/status",
        setUnhealthy,
        prepare,
      ),
      jsonStep("POST", `${core}/pods/a/eviction`, eviction("a"), {
        keep: ["kind", "message", "reason", "code", "details"],
      }),
    ],
  },
  {
    name: "a debug container is added",
    steps: [
      jsonStep("POST", `${core}/pods`, freePod, prepare),
      jsonStep(
        "PATCH",
        `${core}/pods/a/ephemeralcontainers`,
        { spec: { ephemeralContainers: [{ name: "debug", image: "busybox" }] } },
        {
          contentType: "application/strategic-merge-patch+json",
          keep: ["spec.ephemeralContainers"],
        },
      ),
    ],
  },
  {
    name: "the log of a pod that is not there",
    steps: [
      jsonStep("GET", `${core}/pods/none/log`),
      jsonStep("POST", `${core}/pods/none/log`, {}),
    ],
  },
];

const accounts: readonly ConformanceCase[] = [
  {
    name: "a token for a service account",
    steps: [
      jsonStep(
        "POST",
        `${core}/serviceaccounts/default/token`,
        {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: { expirationSeconds: 700 },
        },
        {
          keep: [
            "kind",
            "apiVersion",
            "metadata.name",
            "metadata.namespace",
            "spec",
            "status.expirationTimestamp",
          ],
        },
      ),
      jsonStep("POST", `${core}/serviceaccounts/default/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 1 },
      }),
      jsonStep("POST", `${core}/serviceaccounts/none/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      }),
    ],
  },
];

const namespaces: readonly ConformanceCase[] = [
  {
    name: "a namespace is finalized",
    steps: [
      jsonStep("POST", "/api/v1/namespaces", namespace(), prepare),
      jsonStep("PUT", "/api/v1/namespaces/fin-{id}/finalize", namespace(["example.com/x"]), {
        keep: ["kind", "spec", "status"],
      }),
      jsonStep("PUT", "/api/v1/namespaces/fin-{id}/finalize", namespace(), {
        keep: ["kind", "spec", "status"],
      }),
      jsonStep("PUT", "/api/v1/namespaces/none-{id}/finalize", {
        ...namespace(),
        metadata: { name: "none-{id}" },
      }),
      jsonStep("DELETE", "/api/v1/namespaces/fin-{id}", undefined, prepare),
    ],
  },
];

function namespace(finalizers?: readonly string[]): object {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "fin-{id}" },
    ...(finalizers === undefined ? {} : { spec: { finalizers } }),
  };
}

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";

const reviews: readonly ConformanceCase[] = [
  {
    name: "may I",
    steps: [
      jsonStep(
        "POST",
        `${authorization}/selfsubjectaccessreviews`,
        {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectAccessReview",
          spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "{ns}" } },
        },
        { keep: ["kind", "apiVersion", "metadata", "spec", "status.allowed"] },
      ),
      jsonStep("POST", `${authorization}/selfsubjectaccessreviews`, {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: {},
      }),
      jsonStep("GET", `${authorization}/selfsubjectaccessreviews`),
    ],
  },
  {
    name: "may somebody",
    steps: [
      jsonStep(
        "POST",
        `${authorization}/subjectaccessreviews`,
        {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SubjectAccessReview",
          spec: {
            user: "u",
            groups: ["system:masters"],
            nonResourceAttributes: { verb: "get", path: "/healthz" },
          },
        },
        { keep: ["kind", "apiVersion", "metadata", "spec", "status.allowed"] },
      ),
      jsonStep("POST", `${authorization}/subjectaccessreviews`, {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { resourceAttributes: { verb: "get", resource: "pods" } },
      }),
      jsonStep(
        "POST",
        `${authorization}/namespaces/{ns}/localsubjectaccessreviews`,
        {
          apiVersion: "authorization.k8s.io/v1",
          kind: "LocalSubjectAccessReview",
          metadata: { namespace: "{ns}" },
          spec: {
            groups: ["system:masters"],
            resourceAttributes: { verb: "get", resource: "pods", namespace: "{ns}" },
          },
        },
        { keep: ["kind", "apiVersion", "metadata", "spec", "status.allowed"] },
      ),
    ],
  },
  {
    name: "who am I",
    steps: [
      jsonStep(
        "POST",
        `${authentication}/selfsubjectreviews`,
        { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        { keep: ["kind", "apiVersion", "metadata", "status.userInfo.groups"] },
      ),
    ],
  },
  {
    name: "whose token is this",
    steps: [
      jsonStep(
        "POST",
        `${authentication}/tokenreviews`,
        {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token: "nonsense" },
        },
        { keep: ["kind", "apiVersion", "metadata", "spec", "status.authenticated", "status.user"] },
      ),
      jsonStep("POST", `${authentication}/tokenreviews`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: {},
      }),
    ],
  },
];

/** Parts of objects with paths of their own, and questions put as objects. */
export const subresourceCases: readonly ConformanceCase[] = [
  ...scales,
  ...pods,
  ...accounts,
  ...namespaces,
  ...reviews,
];
