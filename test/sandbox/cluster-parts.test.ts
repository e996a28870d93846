import { describe, expect, it } from "vitest";
import { openSandbox } from "../../src/sandbox/create-sandbox.ts";
import { ManualClock } from "../../src/sandbox/clock.ts";
import { Scenario, at, conditionsOf, paths } from "./scenario.ts";

const deployment = (name: string, extra = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 3
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} }, annotations: { ${extra} } }
    spec: { containers: [{ name: app, image: a, ports: [{ name: http, containerPort: 8080 }] }] }
`;

const addresses = (scenario: Scenario): unknown => {
  const [subset] = (scenario.get(`${paths.endpoints}/web`)["subsets"] ?? []) as Record<
    string,
    unknown[]
  >[];
  return {
    ready: subset?.["addresses"]?.length ?? 0,
    unready: subset?.["notReadyAddresses"]?.length ?? 0,
    ports: subset?.["ports"],
  };
};

const service = (extra = ""): string => `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] ${extra} }
`;

describe("a service", () => {
  it("leads to the ready pods that it selects", () => {
    const scenario = new Scenario().create(paths.services, service()).settle();
    expect(scenario.get(`${paths.endpoints}/web`)["subsets"]).toBeUndefined();
    scenario.create(paths.deployments, deployment("web")).settle();
    const ports = [{ port: 8080, protocol: "TCP" }];
    expect(addresses(scenario)).toEqual({ ready: 3, unready: 0, ports });
    const [slice] = scenario.list(paths.slices);
    expect(slice?.["endpoints"]).toHaveLength(3);
    expect(slice?.["ports"]).toEqual([{ name: "", port: 8080, protocol: "TCP" }]);
    scenario.patch(`${paths.deployments}/web`, "spec: { replicas: 1 }").settle();
    expect(addresses(scenario)).toEqual({ ready: 1, unready: 0, ports });
    scenario.delete(`${paths.services}/web`).settle();
    expect(scenario.list(paths.endpoints)).toEqual([]);
    expect(scenario.list(paths.slices)).toEqual([]);
  });

  it("leaves out what is not ready, unless it publishes that too", () => {
    const trouble = `"sandbox.keelson.dev/trouble": never-ready`;
    const web = deployment("web", trouble);
    const hidden = new Scenario().create(paths.services, service()).create(paths.deployments, web);
    expect(addresses(hidden.settle())).toMatchObject({ ready: 0, unready: 3 });
    const shown = new Scenario()
      .create(paths.services, service(", publishNotReadyAddresses: true"))
      .create(paths.deployments, web);
    expect(addresses(shown.settle())).toMatchObject({ ready: 3, unready: 0 });
  });

  it("has an address from outside when it is a load balancer, as long as it is one", () => {
    const scenario = new Scenario()
      .create(paths.services, service(", type: LoadBalancer"))
      .settle();
    const ingress = (): unknown =>
      at(scenario.get(`${paths.services}/web`), "status.loadBalancer.ingress");
    expect(ingress()).toEqual([{ ip: "172.18.0.100", ipMode: "VIP" }]);
    scenario.patch(`${paths.services}/web`, "spec: { type: ClusterIP }").settle();
    expect(ingress()).toBeUndefined();
  });
});

describe("a claim", () => {
  const claim = (spec: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } ${spec} }
`;
  const path = `${paths.claims}/data`;
  const phase = (scenario: Scenario): unknown => at(scenario.get(path), "status.phase");

  it("is given a new volume, which goes with it", () => {
    const scenario = new Scenario().create(paths.claims, claim("")).settle();
    expect(scenario.get(path)).toMatchObject({
      metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
      spec: { storageClassName: "standard" },
      status: { phase: "Bound", capacity: { storage: "1Gi" } },
    });
    const [volume] = scenario.list(paths.volumes);
    expect(volume).toMatchObject({ status: { phase: "Bound" } });
    scenario.delete(path).settle();
    expect(scenario.send("GET", path).status).toBe(404);
    expect(scenario.list(paths.volumes)).toEqual([]);
  });

  it("stays as long as a pod uses it", () => {
    const pod = `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: a, image: a }], volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }] } }`;
    const scenario = new Scenario().create(paths.pods, pod).settle();
    expect(scenario.events("Pod", "p").join()).toContain('persistentvolumeclaim "data" not found');
    scenario.create(paths.claims, claim("")).settle();
    expect(at(scenario.get(`${paths.pods}/p`), "status.phase")).toBe("Running");
    scenario.delete(path).settle();
    expect(phase(scenario)).toBe("Bound");
    scenario.delete(`${paths.pods}/p`).settle();
    expect(scenario.send("GET", path).status).toBe(404);
  });

  it("takes the smallest volume that is there for it, which is kept when it goes", () => {
    const volume = (name: string, size: string): string =>
      `{ apiVersion: v1, kind: PersistentVolume, metadata: { name: ${name} }, spec: { capacity: { storage: ${size} }, accessModes: [ReadWriteOnce], storageClassName: manual, persistentVolumeReclaimPolicy: Retain, hostPath: { path: /x } } }`;
    const scenario = new Scenario()
      .create(paths.volumes, volume("large", "10Gi"))
      .create(paths.volumes, volume("small", "2Gi"))
      .create(paths.volumes, volume("tiny", "1Mi"))
      .create(paths.claims, claim(", storageClassName: manual"))
      .settle();
    expect(at(scenario.get(path), "spec.volumeName")).toBe("small");
    scenario.delete(path).settle();
    const phases = scenario.list(paths.volumes).map((each) => at(each, "status.phase"));
    expect(phases).toEqual(["Available", "Released", "Available"]);
  });

  it("waits for a class that does not exist, or for its first consumer", () => {
    const lost = new Scenario().create(paths.claims, claim(", storageClassName: nope")).settle();
    expect(phase(lost)).toBe("Pending");
    expect(lost.events("PersistentVolumeClaim", "data")).toEqual([
      'ProvisioningFailed: storageclass.storage.k8s.io "nope" not found',
    ]);
    const late = new Scenario()
      .create(
        paths.classes,
        `{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: late }, provisioner: sandbox.keelson.dev/local, volumeBindingMode: WaitForFirstConsumer }`,
      )
      .create(paths.claims, claim(", storageClassName: late"))
      .settle();
    expect(phase(late)).toBe("Pending");
    const pod = `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: a, image: a }], volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }] } }`;
    late.create(paths.pods, pod).settle();
    expect(phase(late)).toBe("Bound");
    expect(at(late.get(`${paths.pods}/p`), "status.phase")).toBe("Running");
  });
});

describe("what only has a status", () => {
  it("a budget counts how many pods may go", () => {
    const scenario = new Scenario()
      .create(paths.deployments, deployment("web"))
      .create(
        paths.budgets,
        `{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: web }, spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } } }`,
      )
      .settle();
    expect(scenario.get(`${paths.budgets}/web`)["status"]).toMatchObject({
      expectedPods: 3,
      currentHealthy: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
    });
  });

  it("an autoscaler keeps its target within bounds", () => {
    const scenario = new Scenario()
      .create(paths.deployments, deployment("web"))
      .create(
        paths.autoscalers,
        `{ apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: web }, spec: { minReplicas: 5, maxReplicas: 6, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } } }`,
      )
      .settle()
      .settle();
    expect(at(scenario.get(`${paths.deployments}/web`), "status.availableReplicas")).toBe(5);
    expect(scenario.get(`${paths.autoscalers}/web`)["status"]).toMatchObject({
      currentReplicas: 5,
      desiredReplicas: 5,
    });
    expect(conditionsOf(scenario.get(`${paths.autoscalers}/web`))).toEqual([
      "AbleToScale=True ReadyForNewScale",
      "ScalingActive=True ValidMetricFound",
      "ScalingLimited=False DesiredWithinRange",
    ]);
  });

  it("a quota counts what is there", () => {
    const scenario = new Scenario()
      .create(
        paths.quotas,
        `{ apiVersion: v1, kind: ResourceQuota, metadata: { name: q }, spec: { hard: { pods: "9", count/deployments.apps: "5" } } }`,
      )
      .create(paths.deployments, deployment("web"))
      .settle();
    expect(at(scenario.get(`${paths.quotas}/q`), "status.used")).toEqual({
      pods: "3",
      "count/deployments.apps": "1",
    });
  });

  it("a daemon set has a pod on every node that it wants", () => {
    const scenario = new Scenario().create(
      paths.daemonSets,
      `
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: ds }
spec:
  selector: { matchLabels: { app: ds } }
  template:
    metadata: { labels: { app: ds } }
    spec: { containers: [{ name: app, image: "a:1" }] }
`,
    );
    scenario
      .create(paths.nodes, "{ apiVersion: v1, kind: Node, metadata: { name: other } }")
      .settle();
    expect(scenario.get(`${paths.daemonSets}/ds`)["status"]).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      updatedNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 2,
      numberMisscheduled: 0,
    });
    const nodes = scenario.list(paths.pods).map((pod) => at(pod, "spec.nodeName"));
    expect(new Set(nodes)).toEqual(new Set(["other", "sandbox-0"]));
    const patch = `spec: { template: { spec: { containers: [{ name: app, image: "a:2" }] } } }`;
    scenario.patch(`${paths.daemonSets}/ds`, patch).seconds(1);
    const images = scenario.list(paths.pods).map((pod) => at(pod, "spec.containers.0.image"));
    expect(images).toEqual(["a:2", "a:2"]);
    scenario
      .patch(
        `${paths.daemonSets}/ds`,
        `spec: { template: { spec: { nodeSelector: { kubernetes.io/hostname: sandbox-0 } } } }`,
      )
      .seconds(1);
    expect(scenario.list(paths.pods).map((pod) => at(pod, "spec.nodeName"))).toEqual(["sandbox-0"]);
  });
});

describe("the runtime", () => {
  it("begins with a ready node, a class of storage and the service of the API", () => {
    const scenario = new Scenario();
    expect(conditionsOf(scenario.get(`${paths.nodes}/sandbox-0`))).toContain(
      "Ready=True KubeletReady",
    );
    expect(at(scenario.get(`${paths.nodes}/sandbox-0`), "status.nodeInfo.kubeletVersion")).toBe(
      "v1.36.3",
    );
    expect(scenario.get(`${paths.classes}/standard`)["provisioner"]).toBe(
      "sandbox.keelson.dev/local",
    );
    expect(at(scenario.get(`${paths.services}/kubernetes`), "spec.clusterIP")).toBe("10.96.0.1");
  });

  it("can be left out", () => {
    const sandbox = openSandbox({ clock: new ManualClock(), workloads: false });
    expect(sandbox.context.store.count("/nodes")).toBe(0);
    sandbox.close();
  });

  it("forgets events after an hour, and keeps no more than a thousand of a namespace", () => {
    const scenario = new Scenario()
      .create(paths.deployments, deployment("web").replace("replicas: 3", "replicas: 300"))
      .seconds(3);
    const count = (): number => scenario.list("/api/v1/namespaces/default/events").length;
    expect(count()).toBeLessThanOrEqual(1000);
    expect(count()).toBeGreaterThanOrEqual(900);
    scenario.seconds(3700);
    expect(count()).toBe(0);
  });

  it("does the same in the same order in every run", () => {
    const run = (): string => {
      const scenario = new Scenario().create(paths.deployments, deployment("web")).settle();
      return JSON.stringify(scenario.list(paths.pods));
    };
    expect(run()).toBe(run());
  });

  it("empties a namespace that is deleted, with everything that runs in it", () => {
    const scenario = new Scenario();
    scenario.create(
      "/api/v1/namespaces",
      "{ apiVersion: v1, kind: Namespace, metadata: { name: n } }",
    );
    scenario.settle();
    const path = paths.deployments.replace("default", "n");
    scenario.create(path, deployment("web")).settle();
    scenario.delete("/api/v1/namespaces/n").seconds(2);
    expect(scenario.send("GET", "/api/v1/namespaces/n").status).toBe(404);
    expect(scenario.sandbox.context.store.list("/pods", "n")).toEqual([]);
  });
});

it("the platform of the server is an operating system and an architecture, as clients split it", async () => {
  const sandbox = openSandbox({ clock: new ManualClock() });
  const answer = sandbox.handle({
    method: "GET",
    path: "/version",
    query: new URLSearchParams(),
    accept: "",
    contentType: "",
    userAgent: "test",
    body: "",
    user: { name: "anybody", groups: ["system:authenticated"] },
  });
  expect(answer).toMatchObject({ kind: "complete", status: 200 });
  const { platform } = JSON.parse(answer.kind === "complete" ? answer.body : "") as {
    platform: string;
  };
  expect(platform).toMatch(/^linux\/[a-z\d]+$/);
  sandbox.close();
});
