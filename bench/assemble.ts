/**
 * Assembles more and more objects, half of them Deployments and half Services, and prints how the
 * time grows: in a linear assembly the last column stays the same.
 */
import { assemble, type Directive, type GivenObject } from "../src/assembly/index.ts";
import { type KubernetesObject, scopeLookup } from "../src/objects/index.ts";

const sizes = [1000, 10_000, 100_000];
const rounds = 3;

type Shape = (index: number) => { readonly name: string; readonly namespace: string };

const shapes: readonly (readonly [title: string, shape: Shape, directives: boolean])[] = [
  ["names of their own", (index) => ({ name: `web-${index}`, namespace: "shop" }), false],
  ["one name in many namespaces", (index) => ({ name: "web", namespace: `shop-${index}` }), false],
  ["a directive for each workload", (index) => ({ name: `web-${index}`, namespace: "shop" }), true],
];

console.log(
  "input".padEnd(32) + "objects".padStart(10) + "ms".padStart(10) + "µs/object".padStart(12),
);
for (const [title, shape, withDirectives] of shapes) {
  for (const size of sizes) {
    const objects = Array.from({ length: size / 2 }, (_, index) => pair(shape(index))).flat();
    const directives = withDirectives
      ? Array.from({ length: size / 2 }, (_, index) => directive(shape(index).name, index))
      : [];
    const elapsed = best(objects, directives);
    console.log(
      title.padEnd(32) +
        String(size).padStart(10) +
        elapsed.toFixed(0).padStart(10) +
        ((elapsed * 1000) / size).toFixed(2).padStart(12),
    );
  }
}
console.log(`most memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);

function best(objects: readonly GivenObject[], directives: readonly Directive[]): number {
  let shortest = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { components, diagnostics } = assemble({
      objects,
      directives,
      effectiveNamespace: "default",
      scopeOf: scopeLookup({}),
    });
    shortest = Math.min(shortest, performance.now() - start);
    if (diagnostics.length > 0 || components.length !== objects.length / 2)
      throw new Error("not every Service found its Deployment");
  }
  return shortest;
}

function directive(name: string, index: number): Directive {
  const dependsOn = index === 0 ? [] : [`renamed-${index - 1}`];
  return { kind: "component", workload: name, newName: `renamed-${index}`, dependsOn };
}

function pair({ name, namespace }: ReturnType<Shape>): readonly GivenObject[] {
  const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "shop" };
  const spec = { containers: [{ name: "web", image: `registry.example.com/${name}:1` }] };
  const metadata = { name, namespace };
  return [
    given({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    }),
    given({
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [{ port: 80 }] },
    }),
  ];
}

function given(object: KubernetesObject): GivenObject {
  const file = "made-in-memory.yaml";
  return { object, file, sourceOf: () => ({ file, start: { line: 1, column: 1 } }) };
}
