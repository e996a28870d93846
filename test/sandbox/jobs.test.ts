import { describe, expect, it } from "vitest";
import { Scenario, at, conditionsOf, paths } from "./scenario.ts";

const path = `${paths.jobs}/job`;

function created(spec = "", trouble = "", policy = "Never"): Scenario {
  const annotation = trouble === "" ? "" : `"sandbox.keelson.dev/trouble": "${trouble}"`;
  const yaml = `
apiVersion: batch/v1
kind: Job
metadata: { name: job }
spec:
  ${spec}
  template:
    metadata: { annotations: { ${annotation} } }
    spec: { restartPolicy: ${policy}, containers: [{ name: app, image: "app:1" }] }
`;
  return new Scenario().create(paths.jobs, yaml).settle();
}

const status = (scenario: Scenario): unknown => scenario.get(path)["status"];

describe("a job", () => {
  it("runs to its end", () => {
    const scenario = created("completions: 3\n  parallelism: 2");
    expect(status(scenario)).toMatchObject({
      succeeded: 3,
      ready: 0,
      terminating: 0,
      startTime: "2026-01-01T00:00:00Z",
      completionTime: "2026-01-01T00:00:00Z",
      uncountedTerminatedPods: {},
    });
    expect(conditionsOf(scenario.get(path))).toEqual([
      "SuccessCriteriaMet=True CompletionsReached",
      "Complete=True CompletionsReached",
    ]);
    const held = scenario.list(paths.pods).map((pod) => at(pod, "metadata.finalizers"));
    expect(held).toEqual([undefined, undefined, undefined]);
    expect(scenario.events("Job", "job").at(-1)).toBe("Completed: Job completed");
  });

  it("gives its pods indexes", () => {
    const scenario = created("completions: 4\n  parallelism: 4\n  completionMode: Indexed");
    expect(status(scenario)).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
    const names = scenario.list(paths.pods).map((pod) => String(at(pod, "spec.hostname")));
    expect(names).toEqual(["job-0", "job-1", "job-2", "job-3"]);
  });

  it("fails after too many failures, with pauses between them", () => {
    const scenario = created("backoffLimit: 2", "crash-loop");
    expect(status(scenario)).toMatchObject({ failed: 1 });
    scenario.seconds(11);
    expect(status(scenario)).toMatchObject({ failed: 2 });
    scenario.seconds(21);
    expect(conditionsOf(scenario.get(path))).toEqual([
      "FailureTarget=True BackoffLimitExceeded",
      "Failed=True BackoffLimitExceeded",
    ]);
    expect(status(scenario)).toMatchObject({ failed: 3 });
  });

  it("fails when its pods restart too often", () => {
    const scenario = created("backoffLimit: 1", "crash-loop", "OnFailure").seconds(12);
    expect(conditionsOf(scenario.get(path))).toContain("Failed=True BackoffLimitExceeded");
    expect(scenario.list(paths.pods)).toEqual([]);
  });

  it("fails when its time is up", () => {
    const scenario = created("activeDeadlineSeconds: 5", "slow=1h").seconds(6);
    expect(conditionsOf(scenario.get(path))).toEqual([
      "FailureTarget=True DeadlineExceeded",
      "Failed=True DeadlineExceeded",
    ]);
  });

  it("rests while it is suspended", () => {
    const scenario = created("suspend: true");
    expect(scenario.list(paths.pods)).toEqual([]);
    expect(conditionsOf(scenario.get(path))).toEqual(["Suspended=True JobSuspended"]);
    scenario.patch(path, "spec: { suspend: false }").settle();
    expect(conditionsOf(scenario.get(path))).toEqual([
      "Suspended=False JobResumed",
      "SuccessCriteriaMet=True CompletionsReached",
      "Complete=True CompletionsReached",
    ]);
  });

  it("is gone some time after its end, if it says so", () => {
    const scenario = created("ttlSecondsAfterFinished: 10").seconds(5);
    expect(scenario.send("GET", path).status).toBe(200);
    scenario.seconds(7);
    expect(scenario.send("GET", path).status).toBe(404);
    expect(scenario.list(paths.pods)).toEqual([]);
  });
});

describe("a cron job", () => {
  const cron = (spec: string, trouble = ""): Scenario =>
    new Scenario().create(
      paths.cronJobs,
      `
apiVersion: batch/v1
kind: CronJob
metadata: { name: cj }
spec:
  ${spec}
  jobTemplate:
    spec:
      template:
        metadata: { annotations: { "sandbox.keelson.dev/trouble": "${trouble}" } }
        spec: { restartPolicy: Never, containers: [{ name: app, image: "app:1" }] }
`,
    );
  const names = (scenario: Scenario): readonly unknown[] =>
    scenario.list(paths.jobs).map((job) => at(job, "metadata.name"));

  it("starts a job at its times and keeps the last three", () => {
    const scenario = cron(`schedule: "*/5 * * * *"`).seconds(299);
    expect(names(scenario)).toEqual([]);
    scenario.seconds(2);
    expect(names(scenario)).toEqual(["cj-29453765"]);
    expect(at(scenario.list(paths.jobs)[0] ?? {}, "metadata.annotations")).toEqual({
      "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:05:00Z",
    });
    scenario.seconds(3600);
    expect(names(scenario)).toHaveLength(3);
    expect(scenario.get(`${paths.cronJobs}/cj`)["status"]).toEqual({
      lastScheduleTime: "2026-01-01T01:05:00Z",
      lastSuccessfulTime: "2026-01-01T01:05:00Z",
    });
  });

  const policies: readonly (readonly [string, number, string])[] = [
    ["Allow", 2, ""],
    ["Forbid", 1, "JobAlreadyActive"],
    ["Replace", 1, "SuccessfulDelete"],
  ];
  for (const [policy, jobs, reason] of policies) {
    it(`with the policy ${policy} while a job still runs`, () => {
      const scenario = cron(`schedule: "* * * * *"\n  concurrencyPolicy: ${policy}`, "slow=1h");
      scenario.seconds(121);
      expect(names(scenario)).toHaveLength(jobs);
      expect(scenario.events("CronJob", "cj").join()).toContain(reason);
    });
  }

  it("does nothing while it is suspended", () => {
    expect(names(cron(`schedule: "* * * * *"\n  suspend: true`).seconds(600))).toEqual([]);
  });

  it("is refused when its schedule cannot be read", () => {
    expect(() => cron(`schedule: "every day"`)).toThrow("expected exactly 5 fields");
  });
});
