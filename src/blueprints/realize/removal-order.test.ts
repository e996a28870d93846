import { describe, expect, it } from "vitest";
import { objectsIn } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

const workload = `
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: web, labels: {app: web}}
`;

/** A chain of the steps given, each with the step that it takes a value of. */
function chain(
  steps: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): string {
  const resources = Object.entries(steps).map(
    ([name, takes]) =>
      `  - {name: ${name}, templateRef: {kind: ClusterConfigTemplate, name: ${name}}${takes === "" ? "" : `, configs: [{name: c, resource: ${takes}}]`}}`,
  );
  const templates = Object.keys(steps).map(
    (name) => `
---
apiVersion: carto.run/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: ${name}}
spec:
  configPath: .metadata.name
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: ${name}, annotations: {${annotations[name] ?? ""}}}`,
  );
  return `
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain}
spec:
  selector: {app: web}
  resources:
${resources.join("\n")}${templates.join("")}
---
${workload}`;
}

const onlyD = chain({ d: "" });

function find(cluster: PaperCluster, name: string): readonly [string, KubernetesObject] {
  const found = [...cluster.live].find(([, { metadata }]) => metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

function deletions(cluster: PaperCluster): readonly string[] {
  return cluster.done.filter((line) => line.startsWith("delete"));
}

describe("objects of steps that left", () => {
  it("go one after the other, what took values before what they were taken of", () => {
    const cluster = new PaperCluster(chain({ a: "", b: "a", c: "b", d: "" }));
    cluster.run();
    cluster.add(onlyD);
    expect(cluster.look().actions).toMatchObject([{ kind: "delete", step: "c" }]);
    cluster.run();
    expect(deletions(cluster)).toEqual([
      "delete c ConfigMap c: step-removed",
      "delete b ConfigMap b: step-removed",
      "delete a ConfigMap a: step-removed",
    ]);
  });

  it("wait until a dependent is gone that has a finalizer, and are listed meanwhile", () => {
    const cluster = new PaperCluster(chain({ a: "", b: "a", d: "" }));
    cluster.run();
    const [key, object] = find(cluster, "b");
    const metadata = { ...object.metadata, deletionTimestamp: cluster.now };
    cluster.live.set(key, { ...object, metadata });
    const status = cluster.add(onlyD).run();
    expect(deletions(cluster)).toEqual([]);
    expect(objectsIn(status["stayingObjects"])).toMatchObject([
      { name: "a", reason: "Pruning", message: "waits until these are gone: ConfigMap b" },
      { name: "b", reason: "Pruning", message: "it is being deleted" },
    ]);
    cluster.live.delete(key);
    expect(objectsIn(cluster.run()["stayingObjects"])).toEqual([]);
    expect(deletions(cluster)).toEqual(["delete a ConfigMap a: step-removed"]);
  });

  it("follow the annotation depends-on as well", () => {
    const annotation = "config.kubernetes.io/depends-on: /namespaces/apps/ConfigMap/b";
    const cluster = new PaperCluster(chain({ a: "", b: "", d: "" }, { a: annotation }));
    cluster.run();
    cluster.add(onlyD).run();
    expect(deletions(cluster)).toEqual([
      "delete a ConfigMap a: step-removed",
      "delete b ConfigMap b: step-removed",
    ]);
  });

  it("go together where they depend on each other in a circle", () => {
    const cluster = new PaperCluster(chain({ a: "", b: "", d: "" }));
    cluster.run();
    for (const [name, other] of Object.entries({ a: "b", b: "a" })) {
      const [key, object] = find(cluster, name);
      const annotations = {
        ...object.metadata.annotations,
        "config.kubernetes.io/depends-on": `/namespaces/apps/ConfigMap/${other}`,
      };
      cluster.live.set(key, { ...object, metadata: { ...object.metadata, annotations } });
    }
    cluster.add(onlyD).run();
    expect(deletions(cluster)).toHaveLength(2);
  });

  it("stay where something depends on them that is protected", () => {
    const cluster = new PaperCluster(
      chain({ a: "", b: "a", d: "" }, { b: 'keelson.dev/protect: "true"' }),
    );
    cluster.run();
    const status = cluster.add(onlyD).run();
    expect(deletions(cluster)).toEqual([]);
    expect(objectsIn(status["stayingObjects"])).toMatchObject([
      { name: "a", reason: "InUse", message: "ConfigMap b, which stays, depends on it" },
      { name: "b", reason: "Protected" },
    ]);
  });
});
