import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, deployment, apps } from "./paths.ts";

const pods = `${core}/pods`;
const quotas = `${core}/resourcequotas`;
const refusal: Partial<Step> = { keep: ["code", "reason", "message", "details"] };

const quota = (spec: object, name = "q"): Step =>
  jsonStep(
    "POST",
    quotas,
    { apiVersion: "v1", kind: "ResourceQuota", metadata: { name }, spec },
    { prepare: true },
  );
const used = (name: string, value: string, quotaName = "q"): Step =>
  jsonStep("GET", `${quotas}/${quotaName}`, undefined, {
    until: [`status.used.${name}`, value],
    keep: ["status"],
  });
/** A pod that no node takes: it stays as it was created. */
const pod = (name: string, spec: object = {}, resources?: object): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    nodeSelector: { nowhere: "true" },
    containers: [{ name: "c", image: "i", ...(resources === undefined ? {} : { resources }) }],
    ...spec,
  },
});
const service = (name: string, type: string, ports = 1): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: {
    type,
    selector: { app: "a" },
    ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: 80 + index })),
  },
});
const claim = (name: string, storage: string, storageClassName?: string): object => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
});

/** ResourceQuotas: what is counted, and what exceeds them. */
export const quotaCases: readonly ConformanceCase[] = [
  {
    name: "objects are counted, and one too many is refused",
    steps: [
      quota({ hard: { "count/configmaps": "3", secrets: "1", "count/deployments.apps": "0" } }),
      // The certificate that every namespace has counts, too.
      used("count/configmaps", "1"),
      jsonStep("POST", `${core}/configmaps`, configMap("a"), { prepare: true }),
      jsonStep("POST", `${core}/configmaps`, configMap("b"), { prepare: true }),
      jsonStep("POST", `${core}/configmaps`, configMap("c"), refusal),
      jsonStep("POST", `${core}/configmaps?dryRun=All`, configMap("c"), refusal),
      used("count/configmaps", "3"),
      jsonStep(
        "POST",
        `${core}/secrets`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
        { prepare: true },
      ),
      jsonStep(
        "POST",
        `${core}/secrets`,
        { apiVersion: "v1", kind: "Secret", metadata: { generateName: "s-" } },
        { keep: ["code", "reason", "details.kind"] },
      ),
      jsonStep("POST", `${apps}/deployments`, deployment("d"), refusal),
    ],
  },
  {
    name: "a dry run charges nothing",
    steps: [
      quota({ hard: { secrets: "1" } }),
      used("secrets", "0"),
      jsonStep(
        "POST",
        `${core}/secrets?dryRun=All`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
        { prepare: true },
      ),
      jsonStep(
        "POST",
        `${core}/secrets`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
        { keep: ["metadata.name"] },
      ),
      used("secrets", "1"),
    ],
  },
  {
    name: "pods are measured by what they request and what limits them",
    steps: [
      quota({
        hard: {
          pods: "3",
          cpu: "1",
          "requests.memory": "1Gi",
          "limits.cpu": "2",
          "requests.example.com/gpu": "1",
        },
      }),
      used("pods", "0"),
      jsonStep("POST", pods, pod("none"), refusal),
      jsonStep("POST", pods, pod("some", {}, { requests: { cpu: "100m" } }), refusal),
      jsonStep(
        "POST",
        pods,
        pod("a", {}, { requests: { cpu: "600m", memory: "512Mi" }, limits: { cpu: "1" } }),
        { prepare: true },
      ),
      used("cpu", "600m"),
      jsonStep(
        "POST",
        pods,
        pod("b", {}, { requests: { cpu: "600m", memory: "768Mi" }, limits: { cpu: "1500m" } }),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        pod(
          "b",
          {},
          {
            requests: { cpu: "400m", memory: "512Mi", "example.com/gpu": "2" },
            limits: { cpu: "400m", "example.com/gpu": "2" },
          },
        ),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        pod("b", {
          initContainers: [
            {
              name: "i",
              image: "i",
              resources: { requests: { cpu: "400m", memory: "1Mi" }, limits: { cpu: "1" } },
            },
          ],
          containers: [
            {
              name: "c",
              image: "i",
              resources: { requests: { cpu: "100m", memory: "512Mi" }, limits: { cpu: "100m" } },
            },
          ],
        }),
        { prepare: true },
      ),
      used("cpu", "1"),
      jsonStep("DELETE", `${pods}/a?gracePeriodSeconds=0`, undefined, { prepare: true }),
      used("cpu", "400m"),
    ],
  },
  {
    name: "scopes choose the pods that a quota speaks of",
    steps: [
      quota({ hard: { pods: "1" }, scopes: ["Terminating"] }, "ending"),
      quota({ hard: { pods: "1" }, scopes: ["NotTerminating"] }, "lasting"),
      quota({ hard: { pods: "0" }, scopes: ["NotBestEffort"] }, "demanding"),
      quota(
        {
          hard: { pods: "0" },
          scopeSelector: {
            matchExpressions: [
              {
                scopeName: "PriorityClass",
                operator: "In",
                values: ["system-cluster-critical"],
              },
            ],
          },
        },
        "critical",
      ),
      used("pods", "0", "ending"),
      used("pods", "0", "lasting"),
      used("pods", "0", "demanding"),
      used("pods", "0", "critical"),
      jsonStep("POST", pods, pod("a"), { prepare: true }),
      jsonStep("POST", pods, pod("b"), refusal),
      jsonStep("POST", pods, pod("c", { activeDeadlineSeconds: 1000 }), { prepare: true }),
      jsonStep("POST", pods, pod("d", { activeDeadlineSeconds: 1000 }), refusal),
      jsonStep("POST", pods, pod("e", {}, { requests: { cpu: "1m" } }), {
        keep: ["code", "reason", "details"],
      }),
      jsonStep("DELETE", `${pods}/a?gracePeriodSeconds=0`, undefined, { prepare: true }),
      used("pods", "0", "lasting"),
      jsonStep("POST", pods, pod("f", { priorityClassName: "system-cluster-critical" }), {
        ...refusal,
        // The real server's admission hears of the deletion some time after it.
        until: [
          "message",
          'pods "f" is forbidden: exceeded quota: critical, requested: pods=1, used: pods=0, limited: pods=0',
        ],
      }),
      used("pods", "1", "ending"),
    ],
  },
  {
    name: "services are measured by their type, also when it changes",
    steps: [
      quota({ hard: { services: "3", "services.nodeports": "2", "services.loadbalancers": "0" } }),
      used("services", "0"),
      jsonStep("POST", `${core}/services`, service("a", "ClusterIP"), { prepare: true }),
      jsonStep("POST", `${core}/services`, service("b", "NodePort", 2), { prepare: true }),
      jsonStep("POST", `${core}/services`, service("c", "NodePort"), refusal),
      jsonStep("POST", `${core}/services`, service("c", "LoadBalancer"), refusal),
      jsonStep("PATCH", `${core}/services/a`, { spec: { type: "NodePort" } }, refusal),
      jsonStep("GET", quotas, undefined, { keep: ["items.*.status"] }),
    ],
  },
  {
    name: "claims are measured by what they ask for, in all and of a class",
    steps: [
      quota({
        hard: {
          persistentvolumeclaims: "2",
          "requests.storage": "3Gi",
          "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
          "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
        },
      }),
      used("persistentvolumeclaims", "0"),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("a", "1Gi", "gold"), {
        prepare: true,
      }),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("b", "1Gi", "gold"), refusal),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("b", "3Gi", "lead"), refusal),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("b", "1500Mi", "lead"), {
        prepare: true,
      }),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("c", "1Mi", "lead"), refusal),
      jsonStep("GET", `${quotas}/q`, undefined, { keep: ["status"] }),
    ],
  },
  {
    name: "a quota that changes counts anew",
    steps: [
      quota({ hard: { secrets: "1" } }),
      used("secrets", "0"),
      jsonStep(
        "PUT",
        `${quotas}/q`,
        {
          apiVersion: "v1",
          kind: "ResourceQuota",
          metadata: { name: "q" },
          spec: { hard: { "count/secrets": "2", "count/unknowns.example.com": "1" } },
        },
        { prepare: true },
      ),
      used("count/secrets", "0"),
      jsonStep(
        "PATCH",
        `${quotas}/q`,
        { spec: { hard: { resourcequotas: "1" } } },
        {
          prepare: true,
        },
      ),
      used("resourcequotas", "1"),
      jsonStep(
        "POST",
        quotas,
        { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "r" }, spec: {} },
        refusal,
      ),
    ],
  },
];
