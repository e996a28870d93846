import { describe, expect, it } from "vitest";
import { type JsonObject, objectsIn } from "../../json/index.ts";
import { conditionLines, PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

/** One step; what is different in each case is the template. */
function chain(template: string, kind = "ClusterImageTemplate"): string {
  return `
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain}
spec:
  selector: {app: web}
  resources: [{name: build, templateRef: {kind: ${kind}, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ${kind}
metadata: {name: t}
spec:
${template}
---
`;
}

function workload(source: string): string {
  return `apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: web, labels: {app: web}}\nspec: {image: ${source}}\n`;
}

const runs = (lifecycle: string, more = ""): string =>
  chain(`  imagePath: .status.image
  lifecycle: ${lifecycle}
${more}
  template:
    apiVersion: run.example/v1
    kind: Run
    metadata: {generateName: $(workload.metadata.name)$-}
    spec: {image: $(workload.spec.image)$}`);

describe("what asks to stay when it is no longer stamped", () => {
  const kept = (annotation: string): string =>
    chain(
      `  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.spec.image)$, annotations: {${annotation}}}
    data: {}`,
      "ClusterTemplate",
    );

  it.each([
    ["keelson.dev/none: x", "delete build ConfigMap a: no-longer-stamped"],
    [
      "cli-utils.sigs.k8s.io/on-remove: keep",
      "release build ConfigMap a: its annotation asks to keep it",
    ],
    [
      "client.lifecycle.config.k8s.io/deletion: detach",
      "release build ConfigMap a: its annotation asks to keep it",
    ],
  ])("%s", (annotation, done) => {
    const cluster = new PaperCluster(kept(annotation) + workload("a"));
    cluster.run();
    cluster.add(workload("b")).run();
    expect(cluster.done).toEqual(["apply build ConfigMap a", "apply build ConfigMap b", done]);
  });

  it("stays where it is protected, as long as it is", () => {
    const cluster = new PaperCluster(kept('keelson.dev/protect: "true"') + workload("a"));
    cluster.run();
    const status = cluster.add(workload("b")).run();
    expect(cluster.live.size).toBe(2);
    expect(objectsIn(status["stayingObjects"])).toMatchObject([{ name: "a", reason: "Protected" }]);
    expect(conditionLines(status)).toContain(
      "ResourcesSubmitted True ResourceSubmissionComplete: ConfigMap a stays: it is protected; take the protection away first, with an apply of its own",
    );
    for (const [key, { metadata, ...rest }] of cluster.live)
      cluster.live.set(key, { ...rest, metadata: { ...metadata, annotations: {} } });
    expect(objectsIn(cluster.run()["stayingObjects"])).toEqual([]);
    expect(cluster.done).toContain("delete build ConfigMap a: no-longer-stamped");
  });
});

describe("immutable", () => {
  const rule = "  healthRule: {singleConditionType: Succeeded}";
  const setRun = (cluster: PaperCluster, image: string, status: string, output = image): void => {
    for (const [key, object] of cluster.live)
      if ((object["spec"] as JsonObject)["image"] === image)
        cluster.live.set(key, {
          ...object,
          status: { image: output, conditions: [{ type: "Succeeded", status }] },
        });
  };
  const lines = (cluster: PaperCluster): readonly string[] => conditionLines(cluster.run());

  it("makes one object for every distinct content, and the same one after a restart", () => {
    const cluster = new PaperCluster(runs("immutable", rule) + workload("a"));
    cluster.run();
    cluster.add(workload("b")).run();
    cluster.add(workload("a")).run();
    cluster.add(workload("b")).run();
    expect(cluster.done).toHaveLength(2);
    const other = new PaperCluster(runs("immutable", rule) + workload("a"));
    other.run();
    expect(other.done[0]).toBe(cluster.done[0]);
    expect(cluster.done[0]).toMatch(/^apply build Run web-[0-9a-f]{10}$/);
  });

  it("hands on what the newest healthy one emits", () => {
    const cluster = new PaperCluster(runs("immutable", rule) + workload("a"));
    expect(lines(cluster)[1]).toBe(
      "ResourcesSubmitted Unknown SetOfImmutableStampedObjectsIncludesNoHealthyObject: unable to retrieve outputs for resource [build] in supply chain [chain]: failed to find any healthy object in the set of immutable stamped objects",
    );
    setRun(cluster, "a", "True", "image-a");
    expect(lines(cluster).at(-1)).toBe("Ready True Ready");
    cluster.now = "2026-06-01T01:00:00Z";
    cluster.add(workload("b")).run();
    setRun(cluster, "b", "False");
    const status = cluster.run();
    const [step] = status["resources"] as JsonObject[];
    expect(objectsIn(step?.["outputs"])[0]?.["preview"]).toBe("image-a\n");
    expect(conditionLines(status)).toEqual([
      "SupplyChainReady True Ready",
      "ResourcesSubmitted True ResourceSubmissionComplete",
      "ResourcesHealthy False HealthyConditionRule",
      "Ready False HealthyConditionRule",
    ]);
    setRun(cluster, "b", "True", "image-b");
    const [after] = cluster.run()["resources"] as JsonObject[];
    expect(objectsIn(after?.["outputs"])[0]?.["preview"]).toBe("image-b\n");
  });

  it("is known by its name, and waited for while it is on its way out", () => {
    const cluster = new PaperCluster(runs("immutable", rule) + workload("a"));
    cluster.admit = (object) => ({ ...object, metadata: { ...object.metadata, annotations: {} } });
    cluster.run();
    expect(cluster.done).toHaveLength(1);
    const [key = "", object] = [...cluster.live][0] ?? [];
    if (object === undefined) throw new Error("nothing was stamped");
    const deletionTimestamp = "2026-06-01T00:00:00Z";
    cluster.live.set(key, { ...object, metadata: { ...object.metadata, deletionTimestamp } });
    expect(lines(cluster)[1]).toMatch(
      /^ResourcesSubmitted Unknown Terminating: waiting until runs\/web-[0-9a-f]{10} is gone, which is being deleted$/,
    );
    cluster.live.delete(key);
    cluster.run();
    expect(cluster.done).toHaveLength(2);
  });

  it("says no when all have failed", () => {
    const cluster = new PaperCluster(runs("immutable", rule) + workload("a"));
    cluster.run();
    setRun(cluster, "a", "False");
    expect(lines(cluster)[1]).toContain(
      "ResourcesSubmitted False SetOfImmutableStampedObjectsIncludesNoHealthyObject",
    );
  });

  it("keeps so many of each outcome, the newest, and what is under way", () => {
    const more = `${rule}\n  retentionPolicy: {maxFailedRuns: 1, maxSuccessfulRuns: 2}`;
    const cluster = new PaperCluster(runs("immutable", more) + workload("w0"));
    const outcomes = ["True", "False", "True", "False", "Unknown", "True", "False", "True"];
    for (const [index, outcome] of outcomes.entries()) {
      cluster.now = `2026-06-01T0${index}:00:00Z`;
      cluster.add(workload(`w${index}`)).run();
      setRun(cluster, `w${index}`, outcome);
      cluster.run();
    }
    const left = [...cluster.live.values()].map(
      (object) => (object["spec"] as JsonObject)["image"],
    );
    expect(left).toEqual(["w4", "w5", "w6", "w7"]);
    expect(cluster.done.filter((line) => line.endsWith(": retention"))).toHaveLength(4);
  });

  it("keeps ten of each when nothing is said", () => {
    const cluster = new PaperCluster(runs("immutable", rule) + workload("w0"));
    for (let index = 0; index < 13; index++) {
      cluster.now = `2026-06-01T${String(index).padStart(2, "0")}:00:00Z`;
      cluster.add(workload(`w${index}`)).run();
      setRun(cluster, `w${index}`, "True");
      cluster.run();
    }
    expect(cluster.live.size).toBe(10);
  });

  it("tekton: a run is healthy when it has succeeded", () => {
    const cluster = new PaperCluster(runs("tekton") + workload("a"));
    cluster.run();
    setRun(cluster, "a", "Unknown");
    expect(lines(cluster).at(-1)).toContain("Ready Unknown SetOfImmutable");
    setRun(cluster, "a", "True");
    expect(lines(cluster).at(-1)).toBe("Ready True Ready");
  });

  it("another template has a history of its own", () => {
    const cluster = new PaperCluster(runs("tekton") + workload("a"));
    cluster.run();
    cluster.add(runs("tekton").replaceAll("name: t}", "name: u}").replace("$-}", "$-u-}")).run();
    expect(cluster.live.size).toBe(1);
    expect(cluster.done.map((line) => line.split(" ")[0])).toEqual(["apply", "apply", "delete"]);
  });
});

describe("health rules", () => {
  const object = (rule: string): string =>
    chain(
      `${rule}\n  template: {apiVersion: x.example/v1, kind: Thing, metadata: {name: x}}`,
      "ClusterTemplate",
    );
  const stuck = {
    conditions: [{ type: "Stalled", status: "True", reason: "Stuck", message: "no" }],
  };
  const multi = `  healthRule:
    multiMatch:
      healthy: {matchConditions: [{type: Ready, status: "True"}], matchFields: [{key: status.phase, operator: In, values: [Done], messagePath: status.note}]}
      unhealthy: {matchConditions: [{type: Failed, status: "True"}], matchFields: [{key: status.phase, operator: In, values: [Broken], messagePath: status.note}]}`;
  const cases: readonly (readonly [
    what: string,
    rule: string,
    status: JsonObject,
    expected: string,
  ])[] = [
    ["always", "  healthRule: {alwaysHealthy: {}}", {}, "Healthy True AlwaysHealthy"],
    [
      "one condition, not there",
      "  healthRule: {singleConditionType: Up}",
      {},
      "Healthy Unknown UpCondition: condition with type [Up] not found on resource status",
    ],
    [
      "one condition, true",
      "  healthRule: {singleConditionType: Up}",
      { conditions: [{ type: "Up", status: "True", message: "it is" }] },
      "Healthy True UpCondition: it is",
    ],
    [
      "one condition, false",
      "  healthRule: {singleConditionType: Up}",
      { conditions: [{ type: "Up", status: "False", message: "it is not" }] },
      "Healthy False UpCondition: it is not",
    ],
    [
      "one condition, odd",
      "  healthRule: {singleConditionType: Up}",
      { conditions: [{ type: "Up", status: "Maybe" }] },
      "Healthy Unknown UpCondition",
    ],
    ["many, none", multi, {}, "Healthy Unknown NoMatchesFulfilled"],
    [
      "many, only some healthy",
      multi,
      { conditions: [{ type: "Ready", status: "True" }] },
      "Healthy Unknown NoMatchesFulfilled",
    ],
    [
      "many, all healthy",
      multi,
      { phase: "Done", conditions: [{ type: "Ready", status: "True", message: "up" }] },
      "Healthy True MatchedCondition: condition status: True, message: up",
    ],
    [
      "many, an unhealthy field wins",
      multi,
      { phase: "Broken", note: "ouch", conditions: [{ type: "Ready", status: "True" }] },
      "Healthy False MatchedField: field value: Broken, message: ouch",
    ],
    [
      "many, an unhealthy condition",
      multi,
      { conditions: [{ type: "Failed", status: "True", message: "ouch" }] },
      "Healthy False MatchedCondition: condition status: True, message: ouch",
    ],
    ["none, which Cartographer takes for always", "", stuck, "Healthy True AlwaysHealthy"],
  ];
  const healthIn = (yaml: string, status: JsonObject): string | undefined => {
    const cluster = new PaperCluster(yaml);
    cluster.statuses = status;
    const [step] = cluster.run()["resources"] as JsonObject[];
    return conditionLines(step)[1];
  };
  it.each(cases)("%s", (_what, rule, status, expected) => {
    expect(healthIn(object(rule) + workload("a"), status)).toBe(expected);
  });

  it("without a rule objects of kontinue.io are as ready as their kind says", () => {
    const yaml = (object("") + workload("a")).replaceAll("carto.run/v1", "kontinue.io/v1");
    expect(healthIn(yaml, {})).toBe("Healthy True Ready: Thing is ready");
    expect(healthIn(yaml, stuck)).toBe("Healthy False Stuck: no");
  });
});

describe("deliveries: when a deployment is done", () => {
  const delivery = (observed: string): string => `
apiVersion: kontinue.io/v1alpha1
kind: ClusterDelivery
metadata: {name: delivery}
spec:
  selectorMatchFields: [{key: deliverable.spec.source.git, operator: Exists}]
  resources:
    - {name: config, templateRef: {kind: ClusterSourceTemplate, name: s}}
    - name: deploy
      templateRef: {kind: ClusterDeploymentTemplate, name: d}
      deployment: {resource: config}
    - name: verify
      templateRef: {kind: ClusterTemplate, name: v}
      sources: [{name: deployed, resource: deploy}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: s}
spec:
  urlPath: .spec.url
  revisionPath: .spec.url
  template: {apiVersion: x.example/v1, kind: Repo, metadata: {name: s}, spec: {url: $(deliverable.spec.source.git.url)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterDeploymentTemplate
metadata: {name: d}
spec:
${observed}
  template: {apiVersion: x.example/v1, kind: App, metadata: {name: d}, spec: {value: $(deployment.revision)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: v}
spec: {template: {apiVersion: v1, kind: ConfigMap, metadata: {name: v}, data: {from: $(source.url)$}}}
---
apiVersion: kontinue.io/v1alpha1
kind: Deliverable
metadata: {name: app}
spec: {source: {git: {url: u}}}
`;
  const matches = "  observedMatches: [{input: spec.value, output: status.value}]";
  const completion = `  observedCompletion:
    succeeded: {key: 'status.conditions[?(@.type=="Ok")].status', value: "True"}
    failed: {key: status.failed, value: "true"}`;
  const cases: readonly (readonly [observed: string, status: JsonObject, expected: string])[] = [
    [
      matches,
      {},
      "ResourceSubmitted Unknown ConditionNotMet: resource [deploy] condition not met: could not find value on output [status.value]: jsonpath returned empty list: status.value",
    ],
    [
      matches,
      { value: "old" },
      "ResourceSubmitted Unknown ConditionNotMet: resource [deploy] condition not met: input [spec.value] and output [status.value] do not match: u != old",
    ],
    [matches, { value: "u" }, "ResourceSubmitted True ResourceSubmissionComplete"],
    [
      completion,
      {},
      "ResourceSubmitted Unknown ConditionNotMet: resource [deploy] condition not met: status.observedGeneration is not there, which observedCompletion needs",
    ],
    [
      completion,
      { observedGeneration: 0 },
      "ResourceSubmitted Unknown ConditionNotMet: resource [deploy] condition not met: status.observedGeneration does not equal metadata.generation: 0 != 1",
    ],
    [
      completion,
      { observedGeneration: 1, failed: true },
      "ResourceSubmitted False FailedConditionMet: resource [deploy] failed condition met: deployment failure condition [status.failed] was: true",
    ],
    [
      completion,
      { observedGeneration: 1, conditions: [{ type: "Ok", status: "False" }] },
      'ResourceSubmitted Unknown ConditionNotMet: resource [deploy] condition not met: deployment success condition [status.conditions[?(@.type=="Ok")].status] was: False, expected: True',
    ],
    [
      completion,
      { observedGeneration: 1, conditions: [{ type: "Ok", status: "True" }] },
      "ResourceSubmitted True ResourceSubmissionComplete",
    ],
  ];
  it.each(cases)("%s %j: %s", (observed, status, expected) => {
    const cluster = new PaperCluster(delivery(observed));
    cluster.statuses = status;
    const resources = cluster.run()["resources"] as JsonObject[];
    expect(conditionLines(resources[1])[0]).toBe(expected);
    const isDone = expected.startsWith("ResourceSubmitted True");
    expect(cluster.done.includes("apply verify ConfigMap v")).toBe(isDone);
  });

  it("has conditions and labels of its own", () => {
    const cluster = new PaperCluster(delivery(matches));
    const status = cluster.run();
    expect(conditionLines(status)[0]).toBe("DeliveryReady True Ready");
    expect(status["deliveryRef"]).toMatchObject({ kind: "ClusterDelivery", name: "delivery" });
    expect([...cluster.live.values()][0]?.metadata.labels).toMatchObject({
      "carto.run/deliverable-name": "app",
      "carto.run/deliverable-namespace": "apps",
      "carto.run/delivery-name": "delivery",
    });
    const gone = new PaperCluster(delivery(matches).replace("git: {url: u}", "image: i"));
    expect(conditionLines(gone.run())[0]).toBe(
      "DeliveryReady False DeliverableLabelsMissing: deliverable has no labels; no delivery found where full selector is satisfied: delivery (deliverable.spec.source.git Exists: no)",
    );
  });
});
