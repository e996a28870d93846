import { describe, expect, it } from "vitest";
import { Scenario, at, paths } from "./scenario.ts";

const path = `${paths.statefulSets}/db`;

function created(extra = ""): Scenario {
  const yaml = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: 3
  selector: { matchLabels: { app: db } }
  ${extra}
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: app, image: "db:1" }] }
`;
  return new Scenario().create(paths.statefulSets, yaml);
}

const image = (tag: string): string =>
  `spec: { template: { spec: { containers: [{ name: app, image: "db:${tag}" }] } } }`;

const images = (scenario: Scenario): readonly string[] =>
  scenario
    .list(paths.pods)
    .map(
      (pod) => `${String(at(pod, "metadata.name"))} ${String(at(pod, "spec.containers.0.image"))}`,
    );

/** In which order pods were created and deleted. */
const steps = (scenario: Scenario): readonly string[] =>
  scenario
    .events("StatefulSet", "db")
    .map((text) => text.replace(/^.*: (\w+) (Pod|Claim) (\S+) .*$/, "$1 $3"));

describe("a stateful set", () => {
  it("creates its pods one after the other", () => {
    const scenario = created();
    let most = 0;
    for (let step = 0; step < 100; step++) {
      scenario.clock.advance(1);
      const unready = scenario
        .list(paths.pods)
        .filter((pod) => at(pod, "status.phase") !== "Running");
      most = Math.max(most, unready.length);
    }
    expect(most).toBe(1);
    expect(scenario.get(path)["status"]).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      observedGeneration: 1,
      collisionCount: 0,
    });
    expect(scenario.get(`${paths.pods}/db-0`)).toMatchObject({
      metadata: {
        labels: {
          app: "db",
          "apps.kubernetes.io/pod-index": "0",
          "statefulset.kubernetes.io/pod-name": "db-0",
        },
      },
      spec: { hostname: "db-0", subdomain: "db" },
    });
  });

  it("creates them all at once when that is asked for", () => {
    const scenario = created("podManagementPolicy: Parallel");
    scenario.clock.advance(1);
    expect(scenario.list(paths.pods)).toHaveLength(3);
  });

  it("updates from the last to the first", () => {
    const scenario = created().settle().settle().patch(path, image("2")).seconds(1);
    expect(images(scenario)).toEqual(["db-0 db:2", "db-1 db:2", "db-2 db:2"]);
    const deletions = steps(scenario).filter((step) => step.startsWith("Delete"));
    expect(deletions).toEqual(["Delete db-2", "Delete db-1", "Delete db-0"]);
    const { currentRevision, updateRevision } = scenario.get(path)["status"] as Record<
      string,
      string
    >;
    expect(currentRevision).toBe(updateRevision);
  });

  it("stops at its partition", () => {
    const scenario = created("updateStrategy: { rollingUpdate: { partition: 2 } }")
      .settle()
      .settle();
    scenario.patch(path, image("2")).seconds(1);
    expect(images(scenario)).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:2"]);
    expect(scenario.get(path)["status"]).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    scenario.delete(`${paths.pods}/db-0`).settle();
    expect(images(scenario)[0]).toBe("db-0 db:1");
  });

  it("waits for somebody to delete its pods with OnDelete", () => {
    const scenario = created("updateStrategy: { type: OnDelete }").settle().settle();
    scenario.patch(path, image("2")).settle();
    expect(images(scenario)).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:1"]);
    scenario.delete(`${paths.pods}/db-1`).settle();
    expect(images(scenario)).toEqual(["db-0 db:1", "db-1 db:2", "db-2 db:1"]);
  });

  it("shrinks from the last, and keeps or deletes claims as it is told", () => {
    const claims = `volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]`;
    const kept = created(claims).seconds(1);
    expect(kept.list(paths.claims).map((claim) => at(claim, "status.phase"))).toEqual([
      "Bound",
      "Bound",
      "Bound",
    ]);
    kept.patch(path, "spec: { replicas: 1 }").seconds(1);
    expect(images(kept)).toEqual(["db-0 db:1"]);
    expect(kept.list(paths.claims)).toHaveLength(3);

    const policy =
      "persistentVolumeClaimRetentionPolicy: { whenScaled: Delete, whenDeleted: Delete }";
    const dropped = created(`${claims}\n  ${policy}`).seconds(1);
    dropped.patch(path, "spec: { replicas: 1 }").seconds(1);
    expect(dropped.list(paths.claims).map((claim) => at(claim, "metadata.name"))).toEqual([
      "data-db-0",
    ]);
    dropped.delete(path).seconds(1);
    expect(dropped.list(paths.claims)).toEqual([]);
    expect(dropped.list(paths.volumes)).toEqual([]);
  });
});
