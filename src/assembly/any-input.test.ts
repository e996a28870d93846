import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../diagnostics/index.ts";
import { type KubernetesObject, scopeLookup } from "../objects/index.ts";
import { assemble, type Directive, type GivenObject, parseIdentifier } from "./index.ts";

const names = fc.constantFrom("a", "b", "a:b", "b\\");
const namespaces = fc.constantFrom(undefined, "default", "dev", "x");
const types = fc.constantFrom(
  ["apps/v1", "Deployment"],
  ["apps/v1beta1", "Deployment"],
  ["batch/v1", "CronJob"],
  ["v1", "Pod"],
  ["v1", "Service"],
  ["v1", "ConfigMap"],
  ["policy/v1", "PodDisruptionBudget"],
  ["networking.k8s.io/v1", "Ingress"],
  ["rbac.authorization.k8s.io/v1", "ClusterRole"],
  ["example.com/v1", "Fleet"],
);
const labels = fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("a", "b"));
const jsonValues = fc.jsonValue({ maxDepth: 3 });

/** What an object may have as its spec: something that makes sense, or anything. */
const specs = fc.oneof(
  jsonValues,
  fc.record({
    selector: fc.oneof(labels, jsonValues),
    template: fc.record({
      metadata: fc.record({ labels: fc.oneof(labels, jsonValues) }),
      spec: fc.record({
        containers: fc.oneof(
          jsonValues,
          fc.array(fc.record({ image: fc.oneof(names, jsonValues) })),
        ),
        volumes: fc.oneof(
          jsonValues,
          fc.array(fc.record({ configMap: fc.record({ name: names }) })),
        ),
      }),
    }),
    defaultBackend: fc.record({ service: fc.record({ name: names }) }),
  }),
);

const objects: fc.Arbitrary<GivenObject> = fc
  .record({ type: types, name: names, namespace: namespaces, spec: specs, allow: fc.boolean() })
  .map(({ type: [apiVersion = "", kind = ""], name, namespace, spec, allow }) => {
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    const object: KubernetesObject = { apiVersion, kind, metadata, spec };
    const sourceOf = () => ({ file: "a.yaml", start: { line: 1, column: 1 } });
    return { object, file: "a.yaml", sourceOf, allowDuplicates: allow };
  });

const identifiers = fc
  .tuple(names, fc.constantFrom("", ":deployment", ":pod:default", ":cronjob::batch", ":", "\\"))
  .map((parts) => parts.join(""));

const directives: fc.Arbitrary<Directive> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("component" as const),
      workload: identifiers,
      newName: names,
      objects: fc.array(identifiers),
      dependsOn: fc.array(names),
    },
    { requiredKeys: ["kind"] },
  ),
  fc.record({ kind: fc.constant("local" as const), name: names, dependsOn: fc.array(names) }),
  fc.record({ kind: fc.constant("image" as const), reference: fc.oneof(names, fc.string()) }),
  fc.record({
    kind: fc.constant("image-path" as const),
    jsonPaths: fc.array(fc.constantFrom("{..image}", "{.spec[*]}", "{.spec[0]}", "{.x")),
  }),
  fc.record({
    kind: fc.constant("workload-kind" as const),
    objectKind: fc.constantFrom("fleet", "configmap"),
  }),
  fc
    .constantFrom("", "same")
    .map((name) => ({ kind: "name-workloads" as const, nameOf: () => name })),
);

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/** Whether a later object may take the place of an earlier one, as far as namespaces let it. */
function isSame({ object: left }: GivenObject, { object: right }: GivenObject): boolean {
  return left.kind === right.kind && left.metadata.name === right.metadata.name;
}

describe("whatever is given", () => {
  it("every object is in one component, and names are unique unless that is an error", () => {
    fc.assert(
      fc.property(fc.array(objects), fc.array(directives), (given, said) => {
        const { components, diagnostics } = assemble({
          objects: given,
          directives: said,
          effectiveNamespace: "dev",
          scopeOf: scopeLookup({}),
        });
        const placed = components.flatMap((component) => component.objects);
        expect(new Set(placed).size).toBe(placed.length);
        expect(placed.every((each) => given.includes(each))).toBe(true);
        for (const [index, lost] of given.entries())
          expect(
            placed.includes(lost) || given.slice(index + 1).some((later) => isSame(lost, later)),
          ).toBe(true);
        for (const each of components)
          expect(each.kind === "workload").toBe(each.workload !== undefined);
        if (diagnostics.some(isError)) return;
        const found = components.map(({ name }) => name);
        expect(new Set(found).size).toBe(found.length);
        for (const { dependsOn } of components)
          for (const name of dependsOn) expect(found).toContain(name);
      }),
      { numRuns: 500 },
    );
  });

  it("a default name is an identifier that means its workload", () => {
    fc.assert(
      fc.property(fc.array(objects), (given) => {
        const input = {
          objects: given,
          effectiveNamespace: "dev",
          scopeOf: scopeLookup({}),
        };
        const { components } = assemble({ ...input, directives: [] });
        const workloads = components.filter(({ kind }) => kind === "workload");
        const said = workloads.map(({ name }, index): Directive => ({
          kind: "component",
          workload: name,
          newName: `new-${index}`,
        }));
        const renamed = assemble({ ...input, directives: said }).components;
        for (const [index, { name, workload }] of workloads.entries()) {
          expect(parseIdentifier(name).kind).toBe("identifier");
          const same = renamed.find((component) => component.name === `new-${index}`);
          expect(same?.workload).toBe(workload);
        }
      }),
      { numRuns: 300 },
    );
  });
});
