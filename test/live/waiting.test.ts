import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReadinessWaiter } from "../../src/apply/readiness-waiter.ts";
import { referenceTo } from "../../src/cluster/index.ts";
import { readObjectsFromText } from "../../src/objects/index.ts";
import { patienceMs } from "../patience.ts";
import { group, LiveWorld } from "./live-world.ts";

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
});
afterEach(() => {
  world.remove();
});

const deployment = (annotations: string, container: string): string => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {${annotations}}}
    spec: {containers: [{name: main, image: "nginx:1", ${container}}]}
`;

const job = (ttl: number, name: string): string => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, namespace: default}
spec:
  ttlSecondsAfterFinished: ${ttl}
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: "busybox:1", command: ["true"]}]}}
`;

describe("what an apply waits for", () => {
  it.each([
    [
      "a Secret that is missing",
      deployment("", "envFrom: [{secretRef: {name: redis}}]"),
      /Deployment.apps default\/web.*: Secret redis does not exist$/m,
    ],
    [
      "a node",
      deployment("sandbox.keelson.dev/trouble: unschedulable", "env: []"),
      /Deployment.apps default\/web.*: no node fits: 1 node is cordoned$/m,
    ],
  ])("%s is said at the timeout and by status", async (_what, input, expected) => {
    world.write("pkg/a.yaml", group("waits") + input);
    const { code, stdout } = await world.live("apply pkg --reconcile-timeout 3s");
    const last = stdout.split("\n").find((line) => line.includes("timed out"));
    expect(last).toMatch(expected);
    expect(code).toBe(3);
    expect((await world.live("status pkg")).stdout).toMatch(expected);
  });

  it("a Job that finished and is gone is done", async () => {
    world.write("pkg/a.yaml", group("ends") + job(0, "exit-0"));
    expect(await world.live("apply pkg --wait-for-jobs")).toMatchObject({ code: 0 });
  });

  it("a Job that was gone before anybody looked is done, as its events tell", async () => {
    const [read] = readObjectsFromText("job.yaml", job(0, "unseen")).objects;
    if (read === undefined) throw new Error("the Job cannot be read");
    const verdict = await world.look(async (cluster) => {
      const created = await cluster.create(read.object);
      const reference = referenceTo(created);
      // Each look is a request; a Job that never goes ends with the test.
      while ((await cluster.find(reference)) !== undefined);
      const waiter = new ReadinessWaiter(cluster, () => {});
      const deadline = Date.now() + patienceMs;
      const { signal } = new AbortController();
      try {
        return await waiter.untilReady(created, true, deadline, signal);
      } finally {
        await waiter.close();
      }
    });
    expect(verdict).toEqual({
      status: "Current",
      reason: "Completed",
      message: "Job has completed, and is deleted",
    });
  });
});
