/**
 * From saving a file to the change being applied on the sandbox: one line of one of 50 components, each
 * a Deployment with a Service and a ConfigMap in a file of its own. `keelson up` runs as a user runs it;
 * the time is what passes between the write and its event on standard output.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TimedEvent } from "../src/events/index.ts";

const components = 50;
const changes = 40;

const folder = mkdtempSync(join(tmpdir(), "keelson-bench-devloop-"));
const project = join(folder, "project");
mkdirSync(project);
writeFileSync(join(project, "keelson.json"), '{"project": "bench"}');
for (let index = 0; index < components; index++) write(index, "first");
if (process.argv.includes("--tiltfile"))
  writeFileSync(
    join(project, "Tiltfile"),
    Array.from({ length: components }, (_, index) => `k8s_yaml('${fileOf(index)}')\n`).join(""),
  );

const up = spawn(
  process.execPath,
  [join(import.meta.dirname, "../bin/keelson.js"), "up", "--sandbox", "--output", "json"],
  {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: folder, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  },
);
const lines = createInterface({ input: up.stdout })[Symbol.asyncIterator]();

try {
  const ready = new Set<string>();
  await until((event) => {
    if (event.type === "component" && event.runtime.status === "ok") ready.add(event.component);
    return ready.size === components;
  });
  const times: number[] = [];
  for (let change = 0; change < changes; change++) {
    const index = (change * 7) % components;
    const started = performance.now();
    write(index, `change ${change}`);
    await until(
      (event) =>
        event.type === "component" &&
        event.component === nameOf(index) &&
        event.update.reason === "Applied",
    );
    times.push(performance.now() - started);
    await until(
      (event) =>
        event.type === "component" &&
        event.component === nameOf(index) &&
        event.runtime.status === "ok",
    );
  }
  times.sort((left, right) => left - right);
  const at = (share: number): string =>
    `${Math.round(times[Math.floor(share * (times.length - 1))] ?? 0)} ms`;
  console.log(
    `${components} components, ${changes} changes of one line, from save to applied: median ${at(0.5)}, 90 % in ${at(0.9)}, slowest ${at(1)} (target: 300 ms)`,
  );
} finally {
  up.kill("SIGINT");
  await new Promise((resolve) => up.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}

async function until(isWanted: (event: TimedEvent) => boolean): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("keelson up ended");
    if (isWanted(JSON.parse(value) as TimedEvent)) return;
  }
}

function nameOf(index: number): string {
  return `service-${String(index).padStart(2, "0")}`;
}

function fileOf(index: number): string {
  return `${nameOf(index)}.yaml`;
}

function write(index: number, text: string): void {
  const name = nameOf(index);
  writeFileSync(
    join(project, fileOf(index)),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: main
        image: ${name}
        ports: [{containerPort: 80}]
        envFrom: [{configMapRef: {name: ${name}}}]
        env: [{name: TEXT, value: ${JSON.stringify(text)}}]
---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec:
  selector: {app: ${name}}
  ports: [{port: 80}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {name: ${name}}
`,
  );
}
