/**
 * Loads Tiltfiles of a growing number of Deployments with a Service each, and prints the time until
 * the components are there: from one file of YAML, and from data that the Tiltfile makes itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { linePlot } from "./line-plot.ts";
import { assembleTiltfile, loadTiltfile } from "../src/sources/tiltfile/index.ts";

const sizes = [1000, 2500, 5000, 10_000, 20_000];

const fromFile = "k8s_yaml('all.yaml')\n";
const generated = `def objects(name):
  labels = {'app': name}
  container = {'name': 'main', 'image': 'shop/' + name, 'ports': [{'containerPort': 8080}]}
  return [
    {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': name, 'labels': labels},
     'spec': {'replicas': 1, 'selector': {'matchLabels': labels},
              'template': {'metadata': {'labels': labels}, 'spec': {'containers': [container]}}}},
    {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': name},
     'spec': {'selector': labels, 'ports': [{'port': 80, 'targetPort': 8080}]}},
  ]
all = []
for i in range(COUNT):
  all += objects('web-%d' % i)
k8s_yaml(encode_yaml_stream(all))
`;
const resources = "for i in range(COUNT): k8s_resource('web-%d' % i, port_forwards=8000)\n";

interface Grown {
  readonly count: number;
  readonly fileMs: number;
  readonly generatedMs: number;
}

const folder = mkdtempSync(join(tmpdir(), "keelson-bench-"));
try {
  // What is measured first would pay for compiling the program.
  measure(fromFile, 500);
  measure(generated, 500);
  const grown = sizes.map((count): Grown => {
    const result = {
      count,
      fileMs: measure(fromFile, count),
      generatedMs: measure(generated, count),
    };
    console.log(rowOf(result));
    return result;
  });
  write(grown);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rowOf({ count, fileMs, generatedMs }: Grown): string {
  const cells = [fileMs, generatedMs].flatMap((ms) => [
    `${(ms / 1000).toFixed(2)} s`,
    `${((ms / count) * 1000).toFixed(0)} µs`,
  ]);
  return `| ${[count, ...cells].join(" | ")} |`;
}

function write(grown: readonly Grown[]): void {
  const results = join(import.meta.dirname, "results");
  const load = loadavg()[0] ?? 0;
  const lines = [
    "# Tiltfiles",
    "",
    "Deployments with a Service and a `k8s_resource` each, from the text of the Tiltfile to the components, in one",
    "process: objects from one file of YAML, and from `encode_yaml_stream`. What each Deployment costs must not grow.",
    `Load average at the end: ${load.toFixed(1)} on ${cpus().length} cores.`,
    "",
    "| Deployments | YAML file | each | generated | each |",
    "| --- | --- | --- | --- | --- |",
    ...grown.map(rowOf),
    "",
    "![growth](tiltfile.svg)",
    "",
  ];
  writeFileSync(join(results, "tiltfile.md"), lines.join("\n"));
  const plot = linePlot({
    title: "seconds to load a Tiltfile, by Deployments",
    x: grown.map(({ count }) => count),
    series: [
      { name: "YAML file", y: grown.map(({ fileMs }) => fileMs / 1000) },
      { name: "generated", y: grown.map(({ generatedMs }) => generatedMs / 1000) },
    ],
  });
  writeFileSync(join(results, "tiltfile.svg"), plot);
}

function measure(program: string, count: number): number {
  const text = (program + resources).replaceAll("COUNT", String(count));
  const yaml = Array.from({ length: count }, (_, index) => pair(`web-${index}`)).join("---\n");
  writeFileSync(join(folder, "all.yaml"), yaml);
  const start = performance.now();
  const result = loadTiltfile({
    path: "Tiltfile",
    text,
    workingDirectory: folder,
    environment: {},
  });
  const { components, diagnostics } = assembleTiltfile(result, { namespace: "default" });
  const elapsed = performance.now() - start;
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(problem.summary);
  if (components.length !== count) throw new Error(`${components.length} of ${count} components`);
  return elapsed;
}

function pair(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: main
          image: shop/${name}
          ports:
            - containerPort: 8080
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app: ${name}
  ports:
    - port: 80
      targetPort: 8080
`;
}
