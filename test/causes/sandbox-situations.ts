/** What a manifest ends in on the sandbox, and the sentence that every view has for it. */
export interface SandboxSituation {
  /** Also the name of the object whose cause it is. */
  readonly name: string;
  readonly manifest: string;
  readonly expected: string;
  /** The line of the log that shows it. */
  readonly evidence?: string;
}

interface PodParts {
  readonly annotations?: string;
  readonly container?: string;
  readonly pod?: string;
  readonly spec?: string;
}

function template(name: string, { annotations = "", container = "", pod = "" }: PodParts): string {
  return `{metadata: {labels: {app: ${name}}, annotations: {${annotations}}}, spec: {${pod === "" ? "" : `${pod}, `}containers: [{name: main, image: "shop/${name}:1"${container === "" ? "" : `, ${container}`}}]}}`;
}

function deployment(name: string, parts: PodParts): string {
  return `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: default}
spec: {${parts.spec === undefined ? "" : `${parts.spec}, `}selector: {matchLabels: {app: ${name}}}, template: ${template(name, parts)}}
`;
}

const trouble = (value: string): PodParts => ({
  annotations: `sandbox.keelson.dev/trouble: ${value}`,
});

/** A command of this machine as the container's program; needs `--allow-processes`. */
const runs = (command: string): PodParts => ({
  // Without it the Deployment is available in the moment between two crashes.
  spec: "minReadySeconds: 60",
  annotations: `sandbox.keelson.dev/run: ${JSON.stringify(command)}`,
});

/** Simulated, or refused by the sandbox's own API. */
export const simulatedSituations: readonly SandboxSituation[] = [
  {
    name: "oom",
    manifest: deployment("oom", {
      ...trouble("oom"),
      container: "resources: {limits: {memory: 64Mi}}",
    }),
    expected: "out of memory: limit 64Mi, killed 2 times",
  },
  {
    name: "crash",
    manifest: deployment("crash", trouble("crash-loop")),
    expected: "fatal: simulated crash, exit 1, ended 2 times",
  },
  {
    name: "late",
    manifest: deployment("late", {
      container: "envFrom: [{secretRef: {name: never}}]",
      spec: "progressDeadlineSeconds: 1",
    }),
    expected: "Secret never does not exist",
  },
  {
    name: "image",
    manifest: deployment("image", trouble("image-pull-error")),
    expected: "image shop/image:1 does not exist in docker.io",
  },
  {
    name: "unready",
    manifest: deployment("unready", trouble("never-ready")),
    expected: "readiness probe: fails: simulated by the sandbox",
  },
  {
    name: "cordoned",
    manifest: deployment("cordoned", trouble("unschedulable")),
    expected: "no node fits: 1 node is cordoned",
  },
  {
    name: "cpu",
    manifest: deployment("cpu", { container: "resources: {requests: {cpu: 9000}}" }),
    expected: "no node fits: 1 node lacks CPU",
  },
  {
    name: "selector",
    manifest: deployment("selector", { pod: "nodeSelector: {disk: fast}" }),
    expected: "no node fits: 1 node does not match the node selector or affinity",
  },
  {
    name: "secret",
    manifest: deployment("secret", { container: "envFrom: [{secretRef: {name: db-password}}]" }),
    expected: "Secret db-password does not exist",
  },
  {
    name: "config",
    manifest: deployment("config", { container: "envFrom: [{configMapRef: {name: settings}}]" }),
    expected: "ConfigMap settings does not exist",
  },
  {
    name: "key",
    manifest: `${deployment("key", {
      container: "env: [{name: A, valueFrom: {configMapKeyRef: {name: half, key: port}}}]",
    })}---
apiVersion: v1
kind: ConfigMap
metadata: {name: half, namespace: default}
`,
    expected: "ConfigMap half has no key port",
  },
  {
    name: "mount",
    manifest: deployment("mount", {
      container: "volumeMounts: [{name: tls, mountPath: /tls}]",
      pod: "volumes: [{name: tls, secret: {secretName: tls}}]",
    }),
    expected: "Secret tls does not exist (volume tls)",
  },
  {
    name: "account",
    manifest: deployment("account", { pod: "serviceAccountName: robot" }),
    expected: "service account robot does not exist",
  },
  {
    name: "paused",
    manifest: deployment("paused", { spec: "paused: true" }),
    expected: "the rollout is paused: 0 of 1 pods are updated",
  },
  {
    name: "claim",
    manifest: `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: claim, namespace: default}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`,
    expected: "storage class fast does not exist",
  },
  {
    name: "unclaimed",
    manifest: deployment("unclaimed", {
      container: "volumeMounts: [{name: data, mountPath: /data}]",
      pod: "volumes: [{name: data, persistentVolumeClaim: {claimName: nowhere}}]",
    }),
    expected: "PersistentVolumeClaim nowhere does not exist",
  },
  {
    name: "ordered",
    manifest: `---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ordered, namespace: default}
spec: {replicas: 3, serviceName: ordered, selector: {matchLabels: {app: ordered}}, template: ${template("ordered", trouble("crash-loop"))}}
`,
    expected: "fatal: simulated crash, exit 1, ended 2 times; 2 more pods wait for it",
  },
  {
    name: "agent",
    manifest: `---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec: {selector: {matchLabels: {app: agent}}, template: ${template("agent", trouble("image-pull-error"))}}
`,
    expected: "image shop/agent:1 does not exist in docker.io",
  },
  {
    name: "migrate",
    manifest: `---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: default}
spec: {backoffLimit: 0, template: ${template("migrate", { ...trouble("crash-loop"), pod: "restartPolicy: Never" })}}
`,
    expected: "fatal: simulated crash, exit 1; given up after 1 failed pod",
  },
  {
    name: "slow",
    manifest: `---
apiVersion: batch/v1
kind: Job
metadata: {name: slow, namespace: default}
spec: {activeDeadlineSeconds: 1, template: ${template("slow", { ...trouble("slow=60s"), pod: "restartPolicy: Never" })}}
`,
    expected: "took longer than its deadline of 1 s",
  },
];

const nodeProgram = `require("node:http").createServer().listen({host: "127.0.0.1", port: process.env.TAKEN})`;

/** Programs of this machine that really crash; `port` is one that somebody else listens on. */
export const crashingPrograms = (port: number): readonly SandboxSituation[] => [
  {
    name: "taken",
    manifest: deployment("taken", {
      ...runs(`exec node -e '${nodeProgram}'`),
      container: `env: [{name: TAKEN, value: "${port}"}]`,
    }),
    expected: `port ${port} is already in use, exit 1, ended 2 times`,
    evidence: `Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  },
  {
    name: "unknown",
    manifest: deployment("unknown", runs("exec no-such-program")),
    expected: "command not found: no-such-program, exit 127, ended 2 times",
  },
  {
    name: "thrown",
    manifest: deployment("thrown", runs(`exec node -e 'throw new TypeError("no license")'`)),
    expected: "TypeError: no license, exit 1, ended 2 times",
  },
  {
    name: "ending",
    manifest: deployment("ending", runs("echo done")),
    expected: "the program ends with exit 0, but is meant to keep running, ended 2 times",
  },
];
