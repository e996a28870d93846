import { setTimeout as pause } from "node:timers/promises";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { connectKubeconfigFile, connectTarget, type Target } from "../conformance/target.ts";

/** The same objects on the sandbox and on the real control plane end with the same statuses. */
interface Case {
  readonly name: string;
  readonly yaml: string;
  /** Changes after the first objects have settled: a path and a merge patch. */
  readonly patch?: readonly [string, string];
  /** Paths below the namespace whose objects are compared when `done` is met. */
  readonly compare: readonly string[];
  /** A path of `compare` and the condition that ends the wait there. */
  readonly done: readonly [string, (object: Loose) => boolean];
}

type Loose = Readonly<Record<string, unknown>>;

const template = (app: string, image = "app:1", more = ""): string =>
  `template: { metadata: { labels: { app: ${app} } }, spec: { ${more} containers: [{ name: app, image: "${image}", ports: [{ containerPort: 80 }] }] } }`;

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { team: a } }
spec: { replicas: 3, selector: { matchLabels: { app: web } }, ${template("web")} }
`;

function statusOf(object: Loose): Record<string, unknown> {
  return (object["status"] ?? {}) as Record<string, unknown>;
}

function condition(object: Loose, type: string): string {
  const { conditions = [] } = statusOf(object) as {
    conditions?: readonly Record<string, string>[];
  };
  return conditions.find((each) => each["type"] === type)?.["reason"] ?? "";
}

const rolledOut = (object: Loose): boolean => {
  const { generation } = object["metadata"] as { generation: number };
  const status = statusOf(object);
  return (
    status["observedGeneration"] === generation &&
    status["terminatingReplicas"] === 0 &&
    condition(object, "Progressing") === "NewReplicaSetAvailable" &&
    status["replicas"] === status["updatedReplicas"]
  );
};

const cases: readonly Case[] = [
  {
    name: "a deployment with its replica set and a service",
    yaml: `${web}---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ name: http, port: 80 }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 2, selector: { matchLabels: { app: web } } }
`,
    compare: [
      "/apis/apps/v1/{ns}/deployments",
      "/apis/apps/v1/{ns}/replicasets",
      "/api/v1/{ns}/endpoints",
      "/apis/discovery.k8s.io/v1/{ns}/endpointslices",
      "/apis/policy/v1/{ns}/poddisruptionbudgets",
    ],
    done: [
      "/apis/discovery.k8s.io/v1/{ns}/endpointslices",
      ({ endpoints }) =>
        Array.isArray(endpoints) &&
        endpoints.filter(({ conditions }: { conditions: Loose }) => conditions["ready"]).length ===
          3,
    ],
  },
  {
    name: "a deployment that rolls to another image",
    yaml: web,
    patch: [
      "/apis/apps/v1/{ns}/deployments/web",
      `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"app:2"}]}}}}`,
    ],
    compare: ["/apis/apps/v1/{ns}/deployments", "/apis/apps/v1/{ns}/replicasets"],
    done: ["/apis/apps/v1/{ns}/deployments", rolledOut],
  },
  {
    name: "a stateful set with its revision",
    yaml: `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec: { serviceName: db, replicas: 2, selector: { matchLabels: { app: db } }, ${template("db")} }
`,
    compare: ["/apis/apps/v1/{ns}/statefulsets", "/apis/apps/v1/{ns}/controllerrevisions"],
    done: [
      "/apis/apps/v1/{ns}/statefulsets",
      (object) => statusOf(object)["availableReplicas"] === 2,
    ],
  },
  {
    name: "a job with indexes",
    yaml: `
apiVersion: batch/v1
kind: Job
metadata: { name: job, labels: { team: a } }
spec: { completions: 3, parallelism: 2, completionMode: Indexed, ${template("job", "app:1", "restartPolicy: Never,")} }
`,
    compare: ["/apis/batch/v1/{ns}/jobs"],
    done: ["/apis/batch/v1/{ns}/jobs", (object) => condition(object, "Complete") !== ""],
  },
  {
    name: "a suspended job",
    yaml: `
apiVersion: batch/v1
kind: Job
metadata: { name: job, labels: { team: a } }
spec: { suspend: true, ${template("job", "app:1", "restartPolicy: Never,")} }
`,
    compare: ["/apis/batch/v1/{ns}/jobs"],
    done: ["/apis/batch/v1/{ns}/jobs", (object) => condition(object, "Suspended") !== ""],
  },
];

/** Which events each kind of object has, without the kubelet's: kwok writes none. */
async function eventsOf(target: Target, namespace: string): Promise<readonly string[]> {
  const found = await list(target, `/api/v1/namespaces/${namespace}/events`);
  const lines = found
    // Whether a budget is looked at before its pods are there is a matter of timing.
    .filter(
      ({ reportingComponent, reason }) => reportingComponent !== "kubelet" && reason !== "NoPods",
    )
    .map(({ involvedObject, type, reason, reportingComponent }) => {
      const { kind } = involvedObject as { readonly kind: string };
      return [kind, type, reason, reportingComponent].join(" ");
    });
  return [...new Set(lines)].sort();
}

let sandbox: CreatedSandbox;
let targets: { readonly sandbox: Target; readonly real: Target };

beforeAll(async () => {
  sandbox = await createSandbox();
  targets = {
    sandbox: connectTarget(sandbox.kubeconfig),
    real: connectKubeconfigFile(inject("kubeconfig")),
  };
});

afterAll(async () => {
  targets.sandbox.close();
  targets.real.close();
  await sandbox.close();
});

describe("the runtime as the real control plane", () => {
  it.each(cases)("$name", async (each) => {
    const namespace = `runtime-${cases.indexOf(each)}-${Date.now() % 100_000}`;
    const [simulated, real] = await Promise.all([
      run(targets.sandbox, each, namespace),
      run(targets.real, each, namespace),
    ]);
    expect(simulated).toEqual(real);
  });
});

async function run(target: Target, each: Case, namespace: string): Promise<unknown> {
  const inside = (path: string): string => path.replace("{ns}", `namespaces/${namespace}`);
  await send(target, "POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  await waitFor(async () => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    return (await target.send({ method: "GET", path, headers: {} })).status === 200;
  });
  const settled = async (): Promise<boolean> => {
    const found = await list(target, inside(each.done[0]));
    return found.length > 0 && found.every(each.done[1]);
  };
  try {
    for (const object of loadAll(each.yaml) as Loose[])
      await send(target, "POST", inside(collectionOf(object)), object);
    await waitFor(settled);
    if (each.patch !== undefined) {
      const [path, patch] = each.patch;
      await send(target, "PATCH", inside(path), JSON.parse(patch));
      await waitFor(settled);
    }
    return await steady(async () => {
      const compared: Record<string, unknown> = {};
      for (const path of each.compare) {
        const found = await list(target, inside(path));
        compared[path] = found.map((object) => comparable(object)).sort(byText);
      }
      return { ...compared, events: await eventsOf(target, namespace) };
    });
  } finally {
    await target.send({ method: "DELETE", path: `/api/v1/namespaces/${namespace}`, headers: {} });
  }
}

/** What several looks in a row agree on: controllers that are behind have caught up. */
async function steady(look: () => Promise<unknown>): Promise<unknown> {
  let seen = JSON.stringify(await look());
  for (let agreeing = 0; agreeing < steadyLooks;) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    const next = JSON.stringify(await look());
    agreeing = next === seen ? agreeing + 1 : 0;
    seen = next;
  }
  return JSON.parse(seen);
}

const steadyLooks = 4;
const lookEveryMs = 250;

const collections: Readonly<Record<string, string>> = {
  Deployment: "/apis/apps/v1/{ns}/deployments",
  StatefulSet: "/apis/apps/v1/{ns}/statefulsets",
  Job: "/apis/batch/v1/{ns}/jobs",
  Service: "/api/v1/{ns}/services",
  PodDisruptionBudget: "/apis/policy/v1/{ns}/poddisruptionbudgets",
};

function collectionOf({ kind }: Loose): string {
  return collections[String(kind)] ?? "";
}

const varying = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "name",
  "ip",
  "addresses",
  "nodeName",
  "generateName",
  // How many writes a controller needs is a matter of timing.
  "generation",
  "observedGeneration",
  // Written only when the controller saw the pods change before it looked at the service.
  "endpoints.kubernetes.io/last-change-trigger-time",
]);

/** An object without what differs from run to run: names, hashes, times, addresses. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === "string") return neutral(value);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([key, field]) => !varying.has(key) || typeof field === "object",
  );
  const kept = fields
    .filter(([key]) => !varying.has(key) || key === "addresses")
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    kept
      .map(([key, field]): [string, unknown] => [
        key,
        key === "addresses" && Array.isArray(field) ? field.length : comparable(field),
      ])
      .filter(([key, field]) => key !== "annotations" || Object.keys(field as object).length > 0),
  );
}

function neutral(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}")
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "{uid}")
    .replaceAll(/\b(web|db|job)-[a-z0-9]{7,10}\b/g, "$1-{hash}")
    .replaceAll(/^[bcdf-hj-np-tv-xz2456789]{7,10}$/g, "{hash}")
    .replaceAll(/runtime-\d+-\d+/g, "{namespace}");
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

async function list(target: Target, path: string): Promise<readonly Loose[]> {
  const { text } = await target.send({ method: "GET", path, headers: {} });
  return (JSON.parse(text) as { readonly items?: readonly Loose[] }).items ?? [];
}

async function send(target: Target, method: string, path: string, body: unknown): Promise<void> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = { "content-type": type, "user-agent": "differential/1" };
  const answer = await target.send({ method, path, headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}

const patienceMs = 60_000;

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("it did not settle in time");
    await pause(50);
  }
}
