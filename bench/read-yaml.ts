/**
 * Reads a stream of 10,000 documents and prints time and memory beside plain `js-yaml` on the same
 * text in the same run.
 */
import { loadAll } from "js-yaml";
import { readObjectsFromText } from "../src/objects/index.ts";

const documents = 10_000;
const rounds = 3;

const text = Array.from({ length: documents }, (_, index) => deployment(index)).join("---\n");
console.log(`${documents} documents, ${(text.length / 1e6).toFixed(1)} MB`);

const ours = measure("keelson readObjects", () => {
  const { objects, diagnostics } = readObjectsFromText("stream.yaml", text);
  if (diagnostics.length > 0) throw new Error("the stream has errors");
  return objects.length;
});
const memory = process.resourceUsage().maxRSS / 1024;
const plain = measure("js-yaml loadAll", () => loadAll(text).length);
console.log(`ratio of times: ${(ours / plain).toFixed(2)}`);
console.log(`most memory, before js-yaml ran: ${memory.toFixed(0)} MiB`);

function measure(name: string, read: () => number): number {
  let best = Infinity;
  let first = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    if (read() !== documents) throw new Error(`${name} lost documents`);
    const elapsed = performance.now() - start;
    if (round === 0) first = elapsed;
    best = Math.min(best, elapsed);
  }
  console.log(`${name}: first ${first.toFixed(0)} ms, best ${best.toFixed(0)} ms`);
  return first;
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: space-${index % 100}
  labels:
    app.kubernetes.io/name: web-${index}
    app.kubernetes.io/part-of: shop
  annotations:
    example.com/description: "Serves the pages of shop number ${index}"
spec:
  replicas: ${index % 5}
  selector:
    matchLabels:
      app.kubernetes.io/name: web-${index}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web-${index}
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:1.${index}
          args: ["--port", "8080"]
          ports:
            - containerPort: 8080
              name: http
          env:
            - name: SHOP
              value: "${index}"
          resources:
            requests: { cpu: 100m, memory: 128Mi }
          readinessProbe:
            httpGet: { path: /ready, port: http }
`;
}
