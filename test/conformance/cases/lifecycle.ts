import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, core, deployment } from "./paths.ts";

const maps = `${core}/configmaps`;
const gone: readonly [string, string] = ["code", "404"];
const namespace = "/api/v1/namespaces/more-{id}";

/** A dependent of a deployment whose uid the case cannot know before it runs. */
function owned(policy: string): readonly Step[] {
  return [
    jsonStep("POST", `${apps}/deployments`, deployment("d", { paused: false }), { prepare: true }),
    // A collector that has not heard of the dependent takes it for one whose owner is gone.
    jsonStep("GET", `${apps}/replicasets`, undefined, {
      prepare: true,
      until: ["items.0.status.observedGeneration", "1"],
    }),
    jsonStep("DELETE", `${apps}/deployments/d?propagationPolicy=${policy}`, undefined, {
      prepare: true,
    }),
    jsonStep("GET", `${apps}/deployments/d`, undefined, { until: gone, keep: ["code"] }),
  ];
}

export const lifecycleCases: readonly ConformanceCase[] = [
  {
    name: "background deletion collects",
    steps: [
      ...owned("Background"),
      jsonStep("GET", `${apps}/replicasets`, undefined, {
        until: ["items", "[]"],
        keep: ["items"],
      }),
    ],
  },
  {
    name: "foreground deletion collects",
    steps: [
      ...owned("Foreground"),
      jsonStep("GET", `${apps}/replicasets`, undefined, { keep: ["items"] }),
    ],
  },
  {
    name: "orphans stay",
    steps: [
      ...owned("Orphan"),
      jsonStep("GET", `${apps}/replicasets`, undefined, {
        keep: ["items.0.metadata.ownerReferences", "items.0.spec.replicas"],
      }),
    ],
  },
  {
    name: "an owner that never was",
    steps: [
      jsonStep(
        "POST",
        maps,
        configMap(
          "a",
          {},
          {
            ownerReferences: [
              {
                apiVersion: "v1",
                kind: "ConfigMap",
                name: "x",
                uid: "11111111-1111-1111-1111-111111111111",
              },
            ],
          },
        ),
        { prepare: true },
      ),
      jsonStep("GET", `${maps}/a`, undefined, { until: gone, keep: ["code"] }),
    ],
  },
  {
    name: "a namespace is furnished and emptied",
    steps: [
      jsonStep("POST", "/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "more-{id}" },
      }),
      jsonStep("GET", `${namespace}/serviceaccounts/default`, undefined, {
        until: ["kind", "ServiceAccount"],
        keep: ["kind"],
      }),
      jsonStep("GET", `${namespace}/configmaps/kube-root-ca.crt`, undefined, {
        until: ["kind", "ConfigMap"],
        keep: ["kind"],
      }),
      jsonStep(
        "POST",
        `${namespace}/configmaps`,
        configMap("held", {}, { finalizers: ["example.com/hold"] }),
        { prepare: true },
      ),
      jsonStep("DELETE", namespace, undefined, { keep: ["kind", "status.phase", "spec"] }),
      jsonStep("POST", `${namespace}/configmaps`, configMap("late"), {
        keep: ["reason", "code", "message", "details"],
      }),
      jsonStep(
        "PATCH",
        `${namespace}/configmaps/held`,
        { metadata: { finalizers: null } },
        { prepare: true },
      ),
      jsonStep("GET", namespace, undefined, { until: gone, keep: ["code", "message"] }),
      jsonStep("GET", `${namespace}/configmaps`, undefined, { keep: ["items"] }),
    ],
  },
  {
    name: "namespaces that stay",
    steps: ["default", "kube-system"].map((name) =>
      jsonStep("DELETE", `/api/v1/namespaces/${name}?dryRun=All`, undefined, {
        keep: ["reason", "code"],
      }),
    ),
  },
];
