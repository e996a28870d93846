import { describe, expect, it } from "vitest";
import { conditionLines, PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

/** A chain of two steps that take nothing of each other; the second one has the annotation. */
function chain(dependsOn: string, lifecycle = "mutable", rule = ""): string {
  const name = lifecycle === "mutable" ? "name: b" : "generateName: b-";
  return `
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain}
spec:
  selector: {app: web}
  resources:
    - {name: b, templateRef: {kind: ClusterTemplate, name: b}}
    - {name: a, templateRef: {kind: ClusterTemplate, name: a}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: a}
spec:
  ${rule}
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: b}
spec:
  lifecycle: ${lifecycle}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      ${name}
      annotations: {config.kubernetes.io/depends-on: "${dependsOn}"}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: web, labels: {app: web}}
`;
}

const claim = "example.dev/namespaces/apps/Claim/db";

describe("the annotation depends-on of a template", () => {
  it.each(["mutable", "immutable"])("waits for an object of somebody else: %s", (lifecycle) => {
    const cluster = new PaperCluster(chain(claim, lifecycle));
    const waiting = "Claim.example.dev apps/db, which is not ready";
    cluster.outside.set("Claim.example.dev apps/db", {
      kind: "waiting",
      why: "which is not ready",
    });
    expect(conditionLines(cluster.run())).toContain(
      `ResourcesSubmitted Unknown WaitingForDependencies: waits for ${waiting}`,
    );
    expect(cluster.done).toEqual(["apply a ConfigMap a"]);
    cluster.outside.set("Claim.example.dev apps/db", { kind: "ready" });
    cluster.run();
    expect(cluster.done).toHaveLength(2);
  });

  it("orders what is stamped for the same owner", () => {
    const cluster = new PaperCluster(chain("/namespaces/apps/ConfigMap/a"));
    cluster.run();
    expect(cluster.done).toEqual(["apply a ConfigMap a", "apply b ConfigMap b"]);
  });

  it("waits until that is healthy as its template says", () => {
    const rule = "healthRule: {singleConditionType: Up}";
    const cluster = new PaperCluster(chain("/namespaces/apps/ConfigMap/a", "mutable", rule));
    expect(conditionLines(cluster.run())).toContain(
      "ResourcesSubmitted Unknown WaitingForDependencies: waits for ConfigMap apps/a, which is not ready",
    );
    cluster.statuses = { conditions: [{ type: "Up", status: "True" }] };
    cluster.run();
    expect(cluster.done).toEqual(["apply a ConfigMap a", "apply b ConfigMap b"]);
  });

  it("does not hold up what is written already", () => {
    const cluster = new PaperCluster(chain(claim));
    cluster.outside.set("Claim.example.dev apps/db", { kind: "ready" });
    cluster.run();
    cluster.outside.clear();
    expect(conditionLines(cluster.run())).toContain("Ready True Ready");
  });

  it("is refused where it cannot be read", () => {
    const cluster = new PaperCluster(chain("db"));
    expect(conditionLines(cluster.run()).join("\n")).toContain(
      'unable to stamp object for resource [b] in supply chain [chain]: config.kubernetes.io/depends-on: "db" is neither group/kind/name',
    );
  });
});
