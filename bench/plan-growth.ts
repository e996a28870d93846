/**
 * How the time of a plan grows with its objects, for the shapes that are hard on a graph: webhooks that
 * all others depend on, circles of references, and fans of dependencies. Writes
 * bench/results/plan-growth.md. KEELSON_BENCH_OBJECTS says how many objects (2000,10000,50000).
 */
import { loadavg } from "node:os";
import { writeFile } from "node:fs/promises";
import type { KubernetesObject, SourcedObject } from "../src/objects/index.ts";
import { emptyInventory } from "../src/inventory/index.ts";
import { makePlan } from "../src/plan/index.ts";

const sizes = (process.env["KEELSON_BENCH_OBJECTS"] ?? "2000,10000,50000").split(",").map(Number);
const namespace = "default";
const dependsOn = "config.kubernetes.io/depends-on";

function sourced(object: KubernetesObject): SourcedObject {
  return { object, file: "bench", sourceOf: () => ({ file: "bench" }) as never };
}

function configMap(name: string, needs?: string): KubernetesObject {
  const annotations = needs === undefined ? {} : { [dependsOn]: needs };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, annotations } };
}

const webhook: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "hook" },
};

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Bindings and accounts that name each other: each wants to come after the other. */
function circle(index: number, count: number): KubernetesObject {
  const role = { apiGroup: "rbac.authorization.k8s.io", kind: "Role" };
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: {
      name: `b${index}`,
      namespace,
      annotations: {
        [dependsOn]: `rbac.authorization.k8s.io/namespaces/${namespace}/RoleBinding/b${index + 1}`,
      },
    },
    roleRef: { ...role, name: `r${index}` },
    subjects: [{ kind: "ServiceAccount", name: `a${(index + 1) % count}` }],
  };
}

const shapes: Readonly<Record<string, (count: number) => readonly KubernetesObject[]>> = {
  "nothing between them": (count) => range(count).map((index) => configMap(`c${index}`)),
  "all depend on a webhook": (count) => [
    webhook,
    ...range(count - 1).map((index) =>
      configMap(`c${index}`, "admissionregistration.k8s.io/ValidatingWebhookConfiguration/hook"),
    ),
  ],
  "one depends on all": (count) => [
    configMap(
      "last",
      range(count - 1)
        .map((index) => `/namespaces/${namespace}/ConfigMap/c${index}`)
        .join(","),
    ),
    ...range(count - 1).map((index) => configMap(`c${index}`)),
  ],
  "a chain, and webhooks in it": (count) => [
    ...range(10).map((index) => ({ ...webhook, metadata: { name: `hook${index}` } })),
    ...range(count - 10).map((index) =>
      configMap(
        `c${index}`,
        index % 1_000 === 0
          ? `admissionregistration.k8s.io/ValidatingWebhookConfiguration/hook${(index / 1_000) % 10}`
          : `/namespaces/${namespace}/ConfigMap/c${index - 1}`,
      ),
    ),
  ],
  "a circle of needs": (count) => range(count).map((index) => circle(index, count)),
};

const rows: string[] = [];
for (const [shape, make] of Object.entries(shapes)) {
  const times = sizes.map((count) => {
    const desired = make(count).map(sourced);
    const reference = { name: "bench", namespace, id: "bench-default", source: "bench" };
    const started = performance.now();
    makePlan({
      desired,
      inventory: emptyInventory(reference),
      live: new Map(),
      external: new Set(),
      policy: "strict",
      manager: "keelson",
      schemaOf: () => undefined,
    });
    return performance.now() - started;
  });
  const shown = times.map(
    (time, index) =>
      `${Math.round(time)} ms (${((time / (sizes[index] ?? 1)) * 1_000).toFixed(0)} µs each)`,
  );
  console.log(shape, shown.join(", "));
  rows.push(`| ${shape} | ${shown.join(" | ")} |`);
}

await writeFile(
  new URL("results/plan-growth.md", import.meta.url),
  `# How plans grow

The planner alone, on objects that are all new, in this process. Load average at the start: ${(loadavg()[0] ?? 0).toFixed(1)}.

| | ${sizes.map((size) => `${size} objects`).join(" | ")} |
| --- | ${sizes.map(() => "---").join(" | ")} |
${rows.join("\n")}
`,
);
