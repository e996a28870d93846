/**
 * Loads Tiltfiles of a growing number of Deployments with a Service each, and prints the time until
 * the components are there: from one file of YAML, and from data that the Tiltfile makes itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assembleTiltfile, loadTiltfile } from "../src/sources/tiltfile/index.ts";

const sizes = [1000, 2500, 5000, 10_000];

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

const folder = mkdtempSync(join(tmpdir(), "keelson-bench-"));
try {
  console.log("Deployments with a Service each, milliseconds, first run in a warm process");
  console.log("   count   YAML file   generated   per 1000 (file, generated)");
  measure(fromFile, 200);
  measure(generated, 200);
  for (const count of sizes) {
    const file = measure(fromFile, count);
    const made = measure(generated, count);
    const per = [file, made].map((ms) => ((ms / count) * 1000).toFixed(0)).join(", ");
    console.log(
      `${String(count).padStart(8)}${file.toFixed(0).padStart(12)}${made.toFixed(0).padStart(12)}   ${per}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
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
