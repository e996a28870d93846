import { describe, expect, it } from "vitest";
import { type PodLogOptions, podLogs, readPodLogOptions } from "../../src/sandbox/api/pod-logs.ts";
import { Scenario, at, conditionsOf, paths } from "./scenario.ts";

const path = `${paths.pods}/p`;

function pod(spec: string, annotations = ""): Scenario {
  const yaml = `
apiVersion: v1
kind: Pod
metadata: { name: p, annotations: { ${annotations} } }
spec: { ${spec} }
`;
  return new Scenario().create(paths.pods, yaml).settle();
}

const plain = `containers: [{ name: app, image: "app:1" }]`;

function troubled(trouble: string): Scenario {
  return pod(plain, `"sandbox.keelson.dev/trouble": "${trouble}"`);
}

/** The phase of the pod and the states of its containers, each on a line. */
function show(scenario: Scenario): readonly string[] {
  const status = scenario.get(path)["status"] as Record<string, unknown>;
  const containers = [
    ...((status["initContainerStatuses"] ?? []) as Record<string, unknown>[]),
    ...((status["containerStatuses"] ?? []) as Record<string, unknown>[]),
  ];
  const states = containers.map(({ name, ready, restartCount, state }) => {
    const [[kind, detail] = ["", {}]] = Object.entries(state as Record<string, object>);
    const { reason = "", exitCode } = detail as { reason?: string; exitCode?: number };
    const exit = exitCode === undefined ? "" : ` exit=${exitCode}`;
    return `${String(name)}: ${kind} ${reason}${exit} ready=${String(ready)} restarts=${String(restartCount)}`.replace(
      /  +/g,
      " ",
    );
  });
  return [String(status["phase"]), ...states];
}

function logs(scenario: Scenario, options: PodLogOptions = {}): string {
  const { context } = scenario.sandbox;
  const stored = context.store.get("/pods", "default", "p");
  if (stored === undefined) throw new Error("no pod");
  const response = podLogs(context, stored.object, options);
  if (response.kind === "complete") return response.body;
  let text = "";
  response.start({
    write: (piece) => {
      text += piece;
    },
    end: () => {
      text += "<end>";
    },
    backlog: () => 0,
  });
  scenario.seconds(15);
  return text;
}

describe("a pod", () => {
  it("is scheduled, created, running and ready, in moments", () => {
    const scenario = new Scenario().create(
      paths.pods,
      `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { ${plain} } }`,
    );
    const seen: string[] = [];
    for (let step = 0; step < 30; step++) {
      scenario.clock.advance(1);
      const text = show(scenario).join(", ");
      if (seen.at(-1) !== text) seen.push(text);
    }
    expect(seen).toEqual([
      "Pending, app: waiting ContainerCreating ready=false restarts=0",
      "Running, app: running ready=true restarts=0",
    ]);
    expect(conditionsOf(scenario.get(path))).toEqual([
      "PodReadyToStartContainers=True",
      "Initialized=True",
      "Ready=True",
      "ContainersReady=True",
      "PodScheduled=True",
    ]);
    expect(at(scenario.get(path), "status.podIP")).toBe("10.244.0.2");
    expect(scenario.events("Pod", "p").map((text) => text.split(":")[0])).toEqual([
      "Scheduled",
      "Pulling",
      "Pulled",
      "Created",
      "Started",
    ]);
  });

  const troubles: readonly (readonly [string, number, readonly string[]])[] = [
    ["crash-loop", 0, ["Running", "app: waiting CrashLoopBackOff ready=false restarts=1"]],
    ["crash-loop", 12, ["Running", "app: waiting CrashLoopBackOff ready=false restarts=2"]],
    ["oom", 0, ["Running", "app: waiting CrashLoopBackOff ready=false restarts=1"]],
    ["image-pull-error", 0, ["Pending", "app: waiting ErrImagePull ready=false restarts=0"]],
    ["image-pull-error", 2, ["Pending", "app: waiting ImagePullBackOff ready=false restarts=0"]],
    ["never-ready", 3600, ["Running", "app: running ready=false restarts=0"]],
    ["unschedulable", 3600, ["Pending"]],
    ["slow=5s", 4, ["Running", "app: running ready=false restarts=0"]],
    ["slow=5s", 6, ["Running", "app: running ready=true restarts=0"]],
  ];
  for (const [trouble, seconds, expected] of troubles) {
    it(`with the trouble ${trouble} after ${seconds} s`, () => {
      expect(show(troubled(trouble).seconds(seconds))).toEqual(expected);
    });
  }

  it("backs off for longer each time, and says so as a kubelet does", () => {
    const scenario = troubled("crash-loop");
    const { uid } = scenario.get(path)["metadata"] as { readonly uid: string };
    const message = (): unknown =>
      at(scenario.get(path), "status.containerStatuses.0.state.waiting.message");
    expect(message()).toBe(`back-off 10s restarting failed container=app pod=p_default(${uid})`);
    scenario.seconds(1000);
    expect(message()).toBe(`back-off 5m0s restarting failed container=app pod=p_default(${uid})`);
    expect(at(scenario.get(path), "status.containerStatuses.0.lastState.terminated")).toMatchObject(
      {
        exitCode: 1,
        reason: "Error",
      },
    );
  });

  it.each(["crash-loop", "oom", "image-pull-error", "never-ready", "unschedulable"])(
    "is gone when it is deleted, whatever its trouble: %s",
    (trouble) => {
      const scenario = troubled(trouble).seconds(5);
      scenario.delete(path).seconds(40);
      expect(scenario.list(paths.pods)).toEqual([]);
    },
  );

  it("names a trouble that it does not know", () => {
    expect(troubled("flood").events("Pod", "p").join()).toContain(
      'UnknownTrouble: The sandbox knows no trouble "flood"',
    );
  });

  it("waits for a ConfigMap that its environment needs, and goes on when it comes", () => {
    const scenario = pod(
      `containers: [{ name: app, image: a, env: [{ name: A, valueFrom: { configMapKeyRef: { name: cm, key: k } } }] }]`,
    );
    expect(show(scenario)[1]).toBe(
      "app: waiting CreateContainerConfigError ready=false restarts=0",
    );
    const message = (): unknown =>
      at(scenario.get(path), "status.containerStatuses.0.state.waiting.message");
    expect(message()).toBe('configmap "cm" not found');
    const configMap = "{ apiVersion: v1, kind: ConfigMap, metadata: { name: cm } }";
    scenario.create(paths.configMaps, configMap).seconds(10);
    expect(message()).toBe("couldn't find key k in ConfigMap default/cm");
    scenario.patch(`${paths.configMaps}/cm`, `data: { k: v }`).settle();
    expect(show(scenario)[1]).toBe("app: running ready=true restarts=0");
  });

  it("waits for a Secret that it mounts", () => {
    const scenario = pod(`${plain}, volumes: [{ name: v, secret: { secretName: s } }]`);
    expect(show(scenario)[1]).toBe("app: waiting ContainerCreating ready=false restarts=0");
    expect(scenario.events("Pod", "p")).toContain(
      'FailedMount: MountVolume.SetUp failed for volume "v" : secret "s" not found',
    );
  });

  it("runs init containers one after the other, and sidecars beside", () => {
    const scenario = pod(
      `initContainers: [{ name: one, image: a }, { name: side, image: a, restartPolicy: Always }], ${plain}`,
    );
    expect(show(scenario)).toEqual([
      "Running",
      "one: terminated Completed exit=0 ready=true restarts=0",
      "side: running ready=true restarts=0",
      "app: running ready=true restarts=0",
    ]);
  });

  it("fails when its time is up", () => {
    const scenario = pod(`activeDeadlineSeconds: 5, ${plain}`).seconds(6);
    expect(scenario.get(path)["status"]).toMatchObject({
      phase: "Failed",
      reason: "DeadlineExceeded",
    });
  });

  it("is ready only when its readiness gates are", () => {
    const scenario = pod(`readinessGates: [{ conditionType: lb }], ${plain}`);
    expect(conditionsOf(scenario.get(path))).toContain("Ready=False ReadinessGatesNotReady");
  });

  it("says where it could not be placed", () => {
    const scenario = pod(`nodeSelector: { disk: ssd }, ${plain}`);
    expect(at(scenario.get(path), "status.conditions.0.message")).toBe(
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
    const node = `{ apiVersion: v1, kind: Node, metadata: { name: n, labels: { disk: ssd } } }`;
    scenario.create(paths.nodes, node).settle();
    expect(at(scenario.get(path), "spec.nodeName")).toBe("n");
  });

  it.each([
    [
      "more than the node has",
      "containers: [{ name: app, image: a, resources: { requests: { cpu: 60, memory: 300Gi } } }, { name: b, image: a, resources: { requests: { cpu: 5 } } }]",
      "1 Insufficient cpu, 1 Insufficient memory",
      "1 Preemption is not helpful for scheduling",
    ],
    [
      "what only initialisation needs",
      "initContainers: [{ name: i, image: a, resources: { requests: { cpu: 65 } } }], containers: [{ name: app, image: a }]",
      "1 Insufficient cpu",
      "1 Preemption is not helpful for scheduling",
    ],
    [
      "a taint that it does not tolerate",
      "containers: [{ name: app, image: a }]",
      "1 node(s) had untolerated taint(s)",
      "1 Preemption is not helpful for scheduling",
    ],
  ])("waits for a node because of %s", (why, spec, reason, preemption) => {
    const scenario = new Scenario();
    if (why.startsWith("a taint")) {
      const taints = "{ spec: { taints: [{ key: own, effect: NoSchedule }] } }";
      scenario.patch(`${paths.nodes}/sandbox-0`, taints);
    }
    scenario.create(
      paths.pods,
      `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { ${spec} } }`,
    );
    expect(at(scenario.settle().get(path), "status.conditions.0.message")).toBe(
      `0/1 nodes are available: ${reason}. no new claims to deallocate, preemption: 0/1 nodes are available: ${preemption}.`,
    );
  });

  it("waits until others have made room", () => {
    const half = (name: string): string =>
      `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: app, image: a, resources: { requests: { cpu: "32500m" } } }] } }`;
    const scenario = new Scenario().create(paths.pods, half("first")).settle();
    scenario.create(paths.pods, half("p")).settle();
    expect(at(scenario.get(path), "status.conditions.0.message")).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    );
    scenario.delete(`${paths.pods}/first`).settle();
    expect(at(scenario.settle().get(path), "spec.nodeName")).toBe("sandbox-0");
  });

  it("is ready when its probes may have succeeded", () => {
    const probe =
      "{ initialDelaySeconds: 5, periodSeconds: 2, successThreshold: 2, tcpSocket: { port: 1 } }";
    const scenario = pod(`containers: [{ name: app, image: a, readinessProbe: ${probe} }]`);
    expect(conditionsOf(scenario.seconds(6).get(path))).toContain("Ready=False ContainersNotReady");
    expect(conditionsOf(scenario.seconds(1).get(path))).toContain("Ready=True");
  });

  it("is gone shortly after it is deleted, whatever its grace period", () => {
    const scenario = pod(plain).delete(path);
    expect(scenario.send("GET", path).status).toBe(200);
    scenario.settle();
    expect(scenario.send("GET", path).status).toBe(404);
    expect(scenario.events("Pod", "p").at(-1)).toBe("Killing: Stopping container app");
  });

  it("goes on after the sandbox was closed and opened again", () => {
    const scenario = troubled("crash-loop");
    const before = scenario.get(path)["status"];
    const again = scenario.reopen();
    expect(again.get(path)["status"]).toEqual(before);
    expect(show(again.seconds(12))[1]).toBe("app: waiting CrashLoopBackOff ready=false restarts=2");
  });
});

describe("the log of a pod", () => {
  it("tells of the start of a container", () => {
    expect(logs(pod(plain))).toBe("app started from image app:1\n");
    expect(logs(pod(plain), { timestamps: true, tailLines: 1 })).toBe(
      "2026-01-01T00:00:00.210000000Z app started from image app:1\n",
    );
    expect(logs(pod(plain), { limitBytes: 3 })).toBe("app");
    expect(logs(pod(plain).seconds(60), { sinceSeconds: 30 })).toBe("");
  });

  it("ends with the last words of a container that crashed, also as the previous one", () => {
    const text = "app started from image app:1\nfatal: simulated crash\n";
    expect(logs(troubled("crash-loop"))).toBe(text);
    expect(logs(troubled("crash-loop"), { previous: true })).toBe(text);
  });

  it("can be followed until the container ends", () => {
    expect(logs(pod(plain), { follow: true })).toBe("app started from image app:1\n");
    expect(logs(troubled("crash-loop"), { follow: true })).toBe(
      "app started from image app:1\nfatal: simulated crash\n<end>",
    );
  });

  it("is asked for by the query of a request", () => {
    const query = new URLSearchParams(
      "container=app&follow=true&tailLines=5&sinceTime=2026-01-01T00:00:00Z",
    );
    expect(readPodLogOptions(query)).toEqual({
      container: "app",
      follow: true,
      previous: false,
      timestamps: false,
      tailLines: 5,
      sinceTime: "2026-01-01T00:00:00Z",
    });
    expect(() => readPodLogOptions(new URLSearchParams("tailLines=few"))).toThrow("tailLines");
  });

  it("is refused for what has none, in the server's words", () => {
    expect(() => logs(pod(plain), { container: "x" })).toThrow(
      "container x is not valid for pod p",
    );
    expect(() => logs(pod(plain), { previous: true })).toThrow(
      'previous terminated container "app" in pod "p" not found',
    );
    expect(() => logs(troubled("image-pull-error"))).toThrow(
      'container "app" in pod "p" is waiting to start: trying and failing to pull image',
    );
  });
});
