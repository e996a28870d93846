/** Helm hooks in YAML as `helm template` prints them, applied in a namespace, and what an apply did in its order. */
import type { Ran } from "../cli/run-keelson.ts";
import { configMap, group, LiveWorld } from "./live-world.ts";

export interface JobOptions {
  readonly weight?: number;
  readonly policy?: string;
  readonly image?: string;
  readonly trouble?: string;
}

function hookJob(namespace: string, name: string, hook: string, options: JobOptions = {}): string {
  const {
    weight = 0,
    policy = "before-hook-creation",
    image = "busybox:1",
    trouble = "",
  } = options;
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: ${namespace}
  annotations: {helm.sh/hook: "${hook}", helm.sh/hook-weight: "${weight}", helm.sh/hook-delete-policy: "${policy}"}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {sandbox.keelson.dev/trouble: "${trouble}"}}
    spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}
---
`;
}

/** The part of an event that tests of hooks look at. */
export interface HookEvent {
  readonly type: string;
  readonly status: string;
  readonly change?: string;
  readonly reason?: string;
  readonly message: string;
  readonly object: { readonly name: string };
}

export class HookWorld {
  readonly live: LiveWorld;
  readonly namespace: string;

  constructor(namespace = "default", kubeconfig?: string) {
    this.namespace = namespace;
    this.live = new LiveWorld(kubeconfig);
  }

  job(name: string, hook: string, options: JobOptions = {}): string {
    return hookJob(this.namespace, name, hook, options);
  }

  /** The account of a hook, which is one itself: it comes before the Job, and goes after it. */
  account(name: string): string {
    return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${this.namespace}
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "-1", helm.sh/hook-delete-policy: hook-succeeded}
---
`;
  }

  /** What is no hook of the chart. */
  color(value: string): string {
    return configMap("settings", { color: value }, {}, this.namespace);
  }

  group(): string {
    return group("hooks", undefined, this.namespace);
  }

  plan(...objects: readonly string[]): Promise<Ran> {
    return this.live.live("plan -", this.group() + objects.join(""));
  }

  /** Applies objects, and gives what was done in the order in which it was done. */
  apply(...objects: readonly string[]): Promise<readonly string[]> {
    return this.applyWithin("90s", ...objects);
  }

  async applyWithin(timeout: string, ...objects: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await this.live.live(
      `apply - --output events-json --reconcile-timeout ${timeout}`,
      this.group() + objects.join(""),
    );
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as HookEvent);
    return events.flatMap(({ type, status, change, reason, object, message }) => {
      if (type === "apply" && status === "successful") return [`${object.name} ${change ?? ""}`];
      if (type === "wait" && status === "successful") return [`${object.name} ready`];
      if (type === "wait" && status === "failed") return [`${object.name} failed`];
      if (type === "apply" && status === "skipped") return [`${object.name} skipped: ${message}`];
      return reason === "HookDeleted" ? [`${object.name} deleted`] : [];
    });
  }

  /** The Jobs that are there, as `name uid`. */
  jobs(): Promise<readonly string[]> {
    return this.live.look(async (cluster) => {
      const { namespace } = this;
      const { items } = await cluster.list({ apiVersion: "batch/v1", kind: "Job" }, { namespace });
      return items.map(({ metadata }) => `${metadata.name ?? ""} ${metadata.uid ?? ""}`);
    });
  }
}
