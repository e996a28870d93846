/** How long the simulated runtime takes until many deployments are available, in one process. */
import { openSandbox } from "../src/sandbox/create-sandbox.ts";

const count = Number(process.argv[2] ?? 2000);
const replicas = 2;
/** So many are applied before the runtime gets its turn. */
const batch = 50;

const sandbox = openSandbox();
const isWaited = new Set<string>();
const { promise: settled, resolve } = Promise.withResolvers<void>();
sandbox.context.store.subscribe(({ resource, stored }) => {
  if (resource !== "apps/deployments") return;
  const { availableReplicas } = (stored.object["status"] ?? {}) as { availableReplicas?: number };
  if (availableReplicas === replicas) isWaited.delete(stored.name);
  if (isWaited.size === 0) resolve();
});

// The clock of the sandbox keeps no process alive.
const alive = setInterval(() => {}, 1000);
const started = performance.now();
for (let index = 0; index < count; index++) isWaited.add(`app-${index}`);
for (let index = 0; index < count; index++) {
  apply(`app-${index}`);
  if (index % batch === batch - 1) await new Promise((next) => setImmediate(next));
}
await settled;
const seconds = (performance.now() - started) / 1000;
const cpu = process.cpuUsage();
clearInterval(alive);
console.log(
  `${count} deployments of ${replicas} pods are available after ${seconds.toFixed(1)} s, ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of processor time, ${sandbox.context.store.revision} writes, ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB`,
);
sandbox.close();

function apply(name: string): void {
  const labels = { app: name };
  const container = { name: "app", image: "nginx:1", ports: [{ containerPort: 80 }] };
  const response = sandbox.handle({
    method: "PATCH",
    path: `/apis/apps/v1/namespaces/default/deployments/${name}`,
    query: new URLSearchParams({ fieldManager: "bench" }),
    accept: "application/json",
    contentType: "application/apply-patch+yaml",
    userAgent: "bench",
    body: JSON.stringify({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "default" },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    }),
    user: { name: "bench", groups: ["system:masters"] },
  });
  if (response.kind !== "complete" || response.status >= 300) throw new Error("it was refused");
}
