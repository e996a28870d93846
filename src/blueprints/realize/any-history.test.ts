import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldAt, type JsonObject, objectsIn } from "../../json/index.ts";
import { conditionLines, PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

/** What a platform team, a developer and others may do to a supply chain of up to three steps. */
interface Platform {
  readonly isThere: boolean;
  readonly steps: number;
  readonly names: readonly [string, string, string];
  readonly lifecycle: "mutable" | "immutable";
  readonly isTwice: boolean;
}

function yaml({ isThere, steps, names, lifecycle, isTwice }: Platform): string {
  if (!isThere) return "";
  const named = (index: number): string =>
    index === 1 && lifecycle === "immutable"
      ? `{generateName: ${names[index] ?? ""}-}`
      : `{name: ${names[index] ?? ""}}`;
  const chain = (name: string): string => `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: ${name}}
spec:
  selector: {app: web}
  resources:
    - name: s0
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - {name: t0, selector: {matchFields: [{key: workload.spec.source.git, operator: Exists}]}}
          - {name: u0, selector: {matchFields: [{key: workload.spec.source.image, operator: Exists}]}}
${steps > 1 ? "    - {name: s1, templateRef: {kind: ClusterImageTemplate, name: t1}, sources: [{name: x, resource: s0}]}" : ""}
${steps > 2 ? "    - {name: s2, templateRef: {kind: ClusterTemplate, name: t2}, images: [{name: x, resource: s1}]}" : ""}
---
`;
  const source = (template: string, name: string): string => `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: ${template}}
spec:
  urlPath: .data.url
  revisionPath: .status.revision
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {url: "$(workload.spec.source)$"}}
---
`;
  return `${chain("chain")}${isTwice ? chain("again") : ""}${source("t0", names[0])}${source("u0", `${names[0]}-image`)}
apiVersion: kontinue.io/v1alpha1
kind: ClusterImageTemplate
metadata: {name: t1}
spec:
  imagePath: .data.image
  lifecycle: ${lifecycle}
  template: {apiVersion: v1, kind: ConfigMap, metadata: ${named(1)}, data: {image: "$(source.revision)$"}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: t2}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: ${named(2)}, data: {image: $(image)$}}
---
`;
}

const owner = (source: string): string => `
apiVersion: kontinue.io/v1alpha1
kind: Workload
metadata: {name: web, labels: {app: web}}
spec: {source: {${source}}}
`;

const anyPlatform = fc.record<Platform>({
  isThere: fc.constantFrom(true, true, true, false),
  steps: fc.integer({ min: 1, max: 3 }),
  names: fc.constantFrom<Platform["names"]>(
    ["a", "b", "c"],
    ["a", "b", "d"],
    ["b", "a", "c"],
    ["x", "x", "c"],
  ),
  lifecycle: fc.constantFrom("mutable", "mutable", "immutable"),
  isTwice: fc.constantFrom(false, false, false, true),
});

type Event =
  | { readonly kind: "platform"; readonly platform: Platform }
  | { readonly kind: "owner"; readonly source: string }
  | { readonly kind: "status"; readonly revision: string | undefined }
  | { readonly kind: "edit" | "delete"; readonly which: number }
  | { readonly kind: "refuse"; readonly name: string | undefined };

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("platform" as const), platform: anyPlatform }),
  fc.record({
    kind: fc.constant("owner" as const),
    source: fc.constantFrom(
      "git: {url: u}",
      "git: {url: v}",
      "image: i",
      "git: {url: u}, image: i",
      "",
    ),
  }),
  fc.record({
    kind: fc.constant("status" as const),
    revision: fc.constantFrom("1", "2", undefined),
  }),
  fc.record({ kind: fc.constantFrom("edit" as const, "delete" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("refuse" as const), name: fc.constantFrom("a", "b", undefined) }),
);

function happen(cluster: PaperCluster, event: Event): void {
  switch (event.kind) {
    case "platform":
      for (const [key, { kind }] of cluster.objects)
        if (kind.startsWith("Cluster")) cluster.objects.delete(key);
      cluster.add(yaml(event.platform));
      return;
    case "owner":
      cluster.add(owner(event.source));
      return;
    case "status":
      cluster.statuses = event.revision === undefined ? {} : { revision: event.revision };
      return;
    case "edit":
    case "delete": {
      const [key, object] = [...cluster.live][event.which] ?? [];
      if (key === undefined || object === undefined) return;
      if (event.kind === "delete") cluster.live.delete(key);
      else cluster.live.set(key, { ...object, data: { edited: "yes" } });
      return;
    }
    case "refuse":
      cluster.refuse = ({ metadata }) =>
        metadata.name === event.name ? "it is forbidden" : undefined;
  }
}

/** The chain with these events, one after the other; all that must hold is checked after each. */
function live(platform: Platform, events: readonly Event[]): void {
  const cluster = new PaperCluster(yaml(platform) + owner("git: {url: u}"));
  cluster.run();
  for (const event of events) {
    happen(cluster, event);
    const status = cluster.run();
    const done = cluster.done.length;
    expect(cluster.run(), "a second look changes nothing").toEqual(status);
    expect(cluster.done, "and does nothing").toHaveLength(done);
    holds(cluster, status);
  }
}

describe("whatever happens to a supply chain", () => {
  it("the object of a template that becomes immutable goes", () => {
    const platform: Platform = {
      isThere: true,
      steps: 2,
      names: ["a", "b", "c"],
      lifecycle: "mutable",
      isTwice: false,
    };
    live(platform, [
      { kind: "status", revision: "1" },
      { kind: "platform", platform: { ...platform, lifecycle: "immutable" } },
    ]);
  });

  it("it comes to an end, once, and what is there is what is said to be there", () => {
    fc.assert(fc.property(anyPlatform, fc.array(anyEvent, { maxLength: 8 }), live), {
      numRuns: 300,
    });
  });
});

/** What must be true whenever nothing is left to do. */
function holds(cluster: PaperCluster, status: JsonObject): void {
  const steps = objectsIn(status["resources"]);
  const ready = conditionLines(status).at(-1) ?? "";
  if (!ready.startsWith("Ready True")) return;
  const told = steps.map((step) => fieldAt(step, "stampedRef", "name"));
  for (const { metadata } of cluster.live.values()) {
    const isRun = metadata.labels?.["carto.run/template-lifecycle"] === "immutable";
    if (!isRun) expect(told, `${metadata.name ?? ""} is told of`).toContain(metadata.name);
  }
  for (const name of told)
    expect([...cluster.live.values()].map(({ metadata }) => metadata.name)).toContain(name);
}
