import { describe, expect, it } from "vitest";
import { assembleCase, assembleText, line } from "../../test/assembly/assembly-text.ts";
import type { Directive } from "./index.ts";

describe("workloads", () => {
  it("are the kinds of Kubernetes that run pods", () => {
    const objects = `
apps/v1 Deployment a
apps/v1 StatefulSet b
apps/v1 DaemonSet c
apps/v1 ReplicaSet d
v1 ReplicationController e
batch/v1 Job f
batch/v1 CronJob g
v1 Pod h
extensions/v1beta1 Deployment i
v1 Service j
v1 PodTemplate k
example.com/v1 Deployment l
`;
    expect(assembleText({ objects })).toMatchInlineSnapshot(`
      "uncategorized: Service j, Deployment l
      a: Deployment a
      b: StatefulSet b
      c: DaemonSet c
      d: ReplicaSet d
      e: ReplicationController e
      f: Job f
      g: CronJob g
      h: Pod h
      i: Deployment i
      k: PodTemplate k
      "
    `);
  });

  const rollout = `
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec: {template: {spec: {containers: []}}}
`;
  const groups = `
---
apiVersion: argoproj.io/v1alpha1
kind: Groups
metadata: {name: many}
spec:
  groups:
  - {name: a, podTemplate: {spec: {containers: [{name: c, image: nginx}]}}}
  template: {metadata: {}, spec: {replicas: 1}}
`;
  const definition = (kind: string) => `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}.argoproj.io}
spec: {group: argoproj.io, names: {kind: ${kind}}, scope: Namespaced}
`;

  it("are objects of known kinds that carry a pod template anywhere", () => {
    const objects = rollout + groups + definition("Rollout") + definition("Groups");
    expect(assembleText({ objects })).toMatchInlineSnapshot(`
      "uncategorized: CustomResourceDefinition rollout.argoproj.io, CustomResourceDefinition groups.argoproj.io
      web: Rollout web
      many: Groups many
      "
    `);
  });

  it("are not objects of kinds that nobody knows", () => {
    expect(assembleText({ objects: rollout })).toMatchInlineSnapshot(`
      "uncategorized: Rollout web
      "
    `);
  });

  it.each<readonly [declared: string, apiVersion: string | undefined, isWorkload: boolean]>([
    ["Rollout", undefined, true],
    ["rollout", "ARGOPROJ.io/v1alpha1", true],
    ["rollout", "argoproj.io/v1", false],
    ["Roll", undefined, false],
    ["MyRollout", undefined, false],
    [".*", undefined, true],
  ])("are kinds that are declared: %s %s", (objectKind, apiVersion, isWorkload) => {
    const directive: Directive = {
      kind: "workload-kind",
      objectKind,
      ...(apiVersion === undefined ? {} : { apiVersion }),
    };
    const { components } = assembleCase({ objects: rollout, directives: [directive] });
    expect(components.map(({ name }) => name)).toEqual([isWorkload ? "web" : "uncategorized"]);
  });

  it("are found in lists", () => {
    const objects = `
apiVersion: v1
kind: List
items:
- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
- apiVersion: v1
  kind: List
  items: [{apiVersion: v1, kind: Pod, metadata: {name: one}}]
`;
    expect(assembleText({ objects })).toMatchInlineSnapshot(`
      "web: Deployment web
      one: Pod one
      "
    `);
  });
});

describe("default names", () => {
  it.each<readonly [title: string, objects: string, names: readonly string[]]>([
    ["the name", "apps/v1 Deployment foo\napps/v1 Deployment bar", ["foo", "bar"]],
    [
      "with the kind",
      "apps/v1 Deployment foo\nbatch/v1 CronJob foo",
      ["foo:deployment", "foo:cronjob"],
    ],
    [
      "a Service is no workload",
      "apps/v1 Deployment foo\nv1 Service foo",
      ["uncategorized", "foo"],
    ],
    [
      "each on its own",
      "batch/v1 CronJob foo\napps/v1 Deployment ns1/foo\napps/v1 Deployment ns2/foo",
      ["foo:cronjob", "foo:deployment:ns1", "foo:deployment:ns2"],
    ],
    [
      "with the group",
      "apps/v1 Deployment foo\nextensions/v1beta1 Deployment foo",
      ["foo:deployment:default:apps", "foo:deployment:default:extensions"],
    ],
    [
      "names with colons are escaped",
      "v1 Pod a:b\nv1 Pod x/a:b",
      [String.raw`a\:b:pod:default`, String.raw`a\:b:pod:x`],
    ],
  ])("%s", (_title, objects, names) => {
    const { components, diagnostics } = assembleCase({ objects });
    expect(components.map(({ name }) => name)).toEqual(names);
    expect(diagnostics).toEqual([]);
  });

  it("use the namespace of the run", () => {
    const objects = "v1 Pod foo\nv1 Pod other/foo";
    const { components } = assembleCase({ objects, namespace: "dev" });
    expect(components.map(({ name }) => name)).toEqual(["foo:pod:dev", "foo:pod:other"]);
  });

  it("leave cluster-scoped workloads without a namespace", () => {
    const objects = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec: {group: example.com, names: {kind: Fleet}, scope: Cluster}
---
{apiVersion: example.com/v1, kind: Fleet, metadata: {name: foo}}
---
{apiVersion: example.org/v1, kind: Fleet, metadata: {name: foo, namespace: x}}
`;
    const directives: readonly Directive[] = [{ kind: "workload-kind", objectKind: "Fleet" }];
    const { components } = assembleCase({ objects, directives });
    expect(components.map(({ name }) => name)).toEqual([
      "uncategorized",
      "foo:fleet::example.com",
      "foo:fleet:x",
    ]);
  });
});

describe("objects that are given twice", () => {
  it.each<
    readonly [title: string, first: string, second: string, namespace: string, count: number]
  >([
    ["in two versions", "apps/v1 Deployment web", "apps/v1beta1 Deployment web", "default", 1],
    ["without and with the namespace default", "v1 Pod a", "v1 Pod default/a", "dev", 1],
    ["without and with the run's namespace", "v1 Pod a", "v1 Pod dev/a", "dev", 1],
    ["in two groups they differ", "apps/v1 Deployment a", "extensions/v1 Deployment a", "dev", 2],
    ["in two namespaces they differ", "v1 Pod default/a", "v1 Pod dev/a", "dev", 2],
  ])("%s", (_title, first, second, namespace, count) => {
    const { components, diagnostics } = assembleCase({ objects: `${first}\n${second}`, namespace });
    expect(components.length).toBe(count);
    expect(diagnostics.map(({ code }) => code)).toEqual(
      count === 1 ? ["objects.duplicate-object"] : [],
    );
  });

  const objects = "apps/v1 Deployment web\nv1 Pod x\napps/v1beta1 Deployment default/web";

  it("are an error with both places", () => {
    expect(assembleText({ objects })).toMatchInlineSnapshot(`
      "x: Pod x
      web: Deployment default/web
      error[objects.duplicate-object]: web:deployment:default:apps occurs twice in the input
        at objects.yaml:3:5
        It is apps/v1 at objects.yaml:1:5
        and apps/v1beta1 at objects.yaml:3:5.
        hint: Remove one of the two, give it another name or namespace, or allow duplicates, which keeps the last.
      "
    `);
  });

  it("may be allowed, then the last counts", () => {
    expect(assembleText({ objects, allowDuplicates: true })).toMatchInlineSnapshot(`
      "x: Pod x
      web: Deployment default/web
      "
    `);
  });
});

describe("a naming function", () => {
  const objects = "apps/v1 Deployment matt-vigoda\nbatch/v1 Job shop/matt-seed";
  const naming = (nameOf: (id: Readonly<Record<string, string>>) => string): Directive => ({
    kind: "name-workloads",
    nameOf: (id) => nameOf({ ...id }),
    source: line(1),
  });

  it("gets what is written and gives the names", () => {
    const directives = [
      naming(() => "not this one"),
      naming(({ name = "", kind, namespace, group }) =>
        [name.replace("matt-", ""), kind, namespace, group].join("/"),
      ),
    ];
    expect(assembleText({ objects, directives })).toMatchInlineSnapshot(`
      "vigoda/Deployment/default/apps: Deployment matt-vigoda
      seed/Job/shop/batch: Job shop/matt-seed
      "
    `);
  });

  it("may not give one name twice", () => {
    const directives = [naming(() => "same")];
    expect(assembleText({ objects, directives })).toMatchInlineSnapshot(`
      "same: Deployment matt-vigoda
      same: Job shop/matt-seed
      error[assembly.name-taken]: the naming function gives 2 workloads the name "same"
        at Tiltfile:1:1
        They are
          matt-vigoda:deployment:default:apps (objects.yaml:1:5), by the naming function at Tiltfile:1:1
          matt-seed:job:shop:batch (objects.yaml:2:5), by the naming function at Tiltfile:1:1
        hint: Return a name of its own for each workload, for example with its kind or namespace in it.
      "
    `);
  });

  it("may not give an empty name", () => {
    const directives = [naming(({ kind }) => (kind === "Job" ? " " : "web"))];
    expect(assembleText({ objects, directives })).toMatchInlineSnapshot(`
      "web: Deployment matt-vigoda
      matt-seed: Job shop/matt-seed
      error[assembly.invalid-name]: the naming function gives matt-seed:job:shop:batch an empty name
        at Tiltfile:1:1
        The workload is at objects.yaml:2:5.
        hint: Return a name for every workload, for example its own.
      "
    `);
  });

  it("may fail", () => {
    const directives: readonly Directive[] = [
      {
        kind: "name-workloads",
        nameOf: ({ name }) => ({
          code: "starlark.failed",
          severity: "error",
          summary: `no name for ${name}`,
        }),
      },
    ];
    expect(assembleText({ objects, directives })).toMatchInlineSnapshot(`
      "matt-vigoda: Deployment matt-vigoda
      matt-seed: Job shop/matt-seed
      error[starlark.failed]: no name for matt-vigoda
      error[starlark.failed]: no name for matt-seed
      "
    `);
  });

  it("leaves identifiers as they are, and its names can be used too", () => {
    const directives: readonly Directive[] = [
      naming(({ name = "" }) => name.replace("matt-", "")),
      { kind: "component", workload: "vigoda", newName: "one", source: line(2) },
      { kind: "component", workload: "matt-seed:job", newName: "two", source: line(3) },
    ];
    expect(assembleText({ objects, directives })).toMatchInlineSnapshot(`
      "one: Deployment matt-vigoda
      two: Job shop/matt-seed
      "
    `);
  });
});
