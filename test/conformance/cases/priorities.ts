import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { core } from "./paths.ts";

const pods = `${core}/pods`;
const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const refusal: Partial<Step> = { keep: ["code", "reason", "message", "details"] };
const priority: Partial<Step> = {
  keep: [
    "spec.priority",
    "spec.priorityClassName",
    "spec.preemptionPolicy",
    "code",
    "reason",
    "message",
  ],
};

const priorityClass = (name: string, rest: object): Step =>
  jsonStep(
    "POST",
    classes,
    { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, ...rest },
    { keep: ["value", "preemptionPolicy", "globalDefault", "metadata.generation"] },
  );
const pod = (name: string, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { nodeSelector: { nowhere: "true" }, containers: [{ name: "c", image: "i" }], ...spec },
});

/** Priority classes: what pods get of them, and what they may not say themselves. */
export const priorityCases: readonly ConformanceCase[] = [
  {
    name: "pods have the priority of their class",
    steps: [
      priorityClass("never-{id}", { value: 7, preemptionPolicy: "Never" }),
      jsonStep("POST", pods, pod("plain"), priority),
      jsonStep("POST", pods, pod("classed", { priorityClassName: "never-{id}" }), priority),
      jsonStep("POST", pods, pod("missing", { priorityClassName: "missing-{id}" }), refusal),
      jsonStep("POST", pods, pod("zero", { priority: 0 }), priority),
      jsonStep("POST", pods, pod("own", { priority: 3 }), refusal),
      jsonStep(
        "POST",
        pods,
        pod("right", { priorityClassName: "never-{id}", priority: 7 }),
        priority,
      ),
      jsonStep(
        "POST",
        pods,
        pod("other", { priorityClassName: "never-{id}", preemptionPolicy: "PreemptLowerPriority" }),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        pod("critical", { priorityClassName: "system-node-critical" }),
        priority,
      ),
      jsonStep("DELETE", `${classes}/never-{id}`, undefined, { prepare: true }),
    ],
  },
  {
    name: "every cluster has two classes of its own",
    steps: ["system-cluster-critical", "system-node-critical"].map((name) =>
      jsonStep("GET", `${classes}/${name}`, undefined, {
        keep: ["metadata.name", "metadata.generation", "value", "preemptionPolicy", "description"],
      }),
    ),
  },
];
