import { describe, expect, it } from "vitest";
import { Scenario, at, conditionsOf, paths } from "./scenario.ts";

const web = (extra = "", template = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  ${extra}
  template:
    metadata: { labels: { app: web }, annotations: { ${template} } }
    spec: { containers: [{ name: app, image: "web:1" }] }
`;

const image = (tag: string): string =>
  `spec: { template: { spec: { containers: [{ name: app, image: "web:${tag}" }] } } }`;

const ready = [
  "Available=True MinimumReplicasAvailable",
  "Progressing=True NewReplicaSetAvailable",
];

function deployed(extra = "", template = ""): Scenario {
  return new Scenario().create(paths.deployments, web(extra, template)).settle();
}

const live = (scenario: Scenario): ReturnType<Scenario["get"]> =>
  scenario.get(`${paths.deployments}/web`);

const setSizes = (scenario: Scenario): readonly string[] =>
  scenario
    .list(paths.replicaSets)
    .map(
      (set) =>
        `${String(at(set, "spec.template.spec.containers.0.image"))} x${String(at(set, "spec.replicas"))} r${String((at(set, "metadata.annotations") as Record<string, string>)["deployment.kubernetes.io/revision"])}`,
    )
    .sort();

describe("a deployment", () => {
  it("becomes available, with the status that a real one has", () => {
    const scenario = deployed();
    expect(live(scenario)["status"]).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 0,
    });
    expect(conditionsOf(live(scenario))).toEqual(ready);
    expect(scenario.events("Deployment", "web")).toHaveLength(1);
  });

  it("rolls to a new template within its bounds, step by step", () => {
    const scenario = deployed().patch(`${paths.deployments}/web`, image("2")).settle();
    expect(conditionsOf(live(scenario))).toEqual(ready);
    expect(setSizes(scenario)).toEqual(["web:1 x0 r1", "web:2 x2 r2"]);
    const steps = scenario
      .events("Deployment", "web")
      .map((text) =>
        text.replace(/replica set \S+ /, "").replace("ScalingReplicaSet: Scaled ", ""),
      );
    expect(steps).toEqual([
      "up from 0 to 2",
      "up from 0 to 1",
      "down from 2 to 1",
      "up from 1 to 2",
      "down from 1 to 0",
    ]);
  });

  it("never has fewer pods than it may, and never more", () => {
    const scenario = deployed(
      "strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }",
    ).patch(`${paths.deployments}/web`, image("2"));
    for (let step = 0; step < 200; step++) {
      scenario.clock.advance(1);
      const pods = scenario
        .list(paths.pods)
        .filter((pod) => at(pod, "metadata.deletionTimestamp") === undefined);
      const available = pods.filter((pod) => conditionsOf(pod).includes("Ready=True"));
      expect(pods.length).toBeLessThanOrEqual(2);
      expect(available.length).toBeGreaterThanOrEqual(1);
    }
    expect(conditionsOf(live(scenario))).toEqual(ready);
  });

  it("recreates: no old pod is there any more when the first new one comes", () => {
    const scenario = deployed("strategy: { type: Recreate }").patch(
      `${paths.deployments}/web`,
      image("2"),
    );
    for (let step = 0; step < 100; step++) {
      scenario.clock.advance(1);
      const images = scenario.list(paths.pods).map((pod) => at(pod, "spec.containers.0.image"));
      expect(new Set(images).size).toBeLessThanOrEqual(1);
    }
    expect(setSizes(scenario)).toEqual(["web:1 x0 r1", "web:2 x2 r2"]);
  });

  it("goes back to an old set, which gets the next revision", () => {
    const scenario = deployed();
    scenario.patch(`${paths.deployments}/web`, image("2")).settle();
    scenario.patch(`${paths.deployments}/web`, image("1")).settle();
    expect(setSizes(scenario)).toEqual(["web:1 x2 r3", "web:2 x0 r2"]);
    expect(at(live(scenario), "metadata.annotations")).toEqual({
      "deployment.kubernetes.io/revision": "3",
    });
  });

  it("keeps as many old sets as its history may have", () => {
    const scenario = deployed("revisionHistoryLimit: 1");
    for (const tag of ["2", "3", "4"]) {
      scenario.patch(`${paths.deployments}/web`, image(tag)).settle();
    }
    expect(setSizes(scenario)).toEqual(["web:3 x0 r3", "web:4 x2 r4"]);
  });

  it("does not roll while it is paused, but scales", () => {
    const scenario = deployed();
    scenario.patch(`${paths.deployments}/web`, "spec: { paused: true }").settle();
    scenario.patch(`${paths.deployments}/web`, image("2")).settle();
    scenario.patch(`${paths.deployments}/web`, "spec: { replicas: 3 }").settle();
    expect(setSizes(scenario)).toEqual(["web:1 x3 r1"]);
    expect(conditionsOf(live(scenario))).toContain("Progressing=Unknown DeploymentPaused");
    scenario.patch(`${paths.deployments}/web`, "spec: { paused: false }").settle();
    expect(setSizes(scenario)).toEqual(["web:1 x0 r1", "web:2 x3 r2"]);
    expect(conditionsOf(live(scenario))).toEqual(ready);
  });

  it("says that it has missed its deadline, and recovers", () => {
    const trouble = `"sandbox.keelson.dev/trouble": never-ready`;
    const scenario = deployed("progressDeadlineSeconds: 30", trouble);
    expect(conditionsOf(live(scenario))).toEqual([
      "Available=False MinimumReplicasUnavailable",
      "Progressing=True ReplicaSetUpdated",
    ]);
    scenario.seconds(40);
    expect(conditionsOf(live(scenario))).toContain("Progressing=False ProgressDeadlineExceeded");
    scenario
      .patch(
        `${paths.deployments}/web`,
        `spec: { template: { metadata: { annotations: { "sandbox.keelson.dev/trouble": null } } } }`,
      )
      .settle();
    expect(conditionsOf(live(scenario))).toEqual(ready);
  });

  it("counts a pod as available only after minReadySeconds", () => {
    const scenario = deployed("minReadySeconds: 5");
    expect(live(scenario)["status"]).toMatchObject({ readyReplicas: 2, unavailableReplicas: 2 });
    scenario.seconds(6);
    expect(live(scenario)["status"]).toMatchObject({ availableReplicas: 2 });
  });

  it("takes its sets and pods with it, or leaves them as orphans that a successor adopts", () => {
    const scenario = deployed();
    scenario.delete(`${paths.deployments}/web?propagationPolicy=Orphan`).settle();
    const [set] = scenario.list(paths.replicaSets);
    expect(at(set ?? {}, "metadata.ownerReferences")).toBeUndefined();
    scenario.create(paths.deployments, web()).settle();
    expect(setSizes(scenario)).toEqual(["web:1 x2 r1"]);
    expect(scenario.list(paths.pods)).toHaveLength(2);
    scenario.delete(`${paths.deployments}/web`).settle().settle();
    expect(scenario.list(paths.replicaSets)).toEqual([]);
    expect(scenario.list(paths.pods)).toEqual([]);
  });

  it("replaces a pod that is deleted", () => {
    const scenario = deployed();
    const name = String(at(scenario.list(paths.pods)[0] ?? {}, "metadata.name"));
    scenario.delete(`${paths.pods}/${name}`).settle();
    const names = scenario.list(paths.pods).map((pod) => at(pod, "metadata.name"));
    expect(names).toHaveLength(2);
    expect(names).not.toContain(name);
  });

  it("writes nothing more once it has settled", () => {
    const scenario = deployed();
    const { revision } = scenario.sandbox.context.store;
    scenario.seconds(600);
    expect(scenario.sandbox.context.store.revision).toBe(revision);
  });
});
