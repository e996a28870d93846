import { applyGroup } from "../src/apply/index.ts";
import { clusterOver } from "../src/cluster/index.ts";
import type { KubernetesObject, SourcedObject } from "../src/objects/index.ts";
import { openSandbox } from "../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../src/sandbox/in-process-transport.ts";

export interface Grown {
  readonly objects: number;
  readonly createMs: number;
  readonly againMs: number;
  readonly megabytes: number;
}

const sizes = [1_000, 5_000, 10_000, 25_000, 50_000];

/** One inventory of ever more objects, on the embedded API server: what each object costs must not grow. */
export async function growth(): Promise<readonly Grown[]> {
  const grown: Grown[] = [];
  for (const objects of sizes) {
    const sandbox = openSandbox({ workloads: false });
    const cluster = clusterOver(new InProcessTransport(sandbox));
    const desired = Array.from({ length: objects }, (_, index) => sourced(configMap(index)));
    const apply = async (): Promise<number> => {
      const started = performance.now();
      const { hasFailures } = await applyGroup({
        cluster,
        group: { name: "bench", namespace: "default", id: "bench-default", source: "bench" },
        desired: { objects: desired, invalid: [], components: [] },
        prune: { kind: "all" },
        policy: "strict",
        manager: "keelson",
        forceConflicts: false,
        validation: "fail",
        write: {
          reconcileTimeoutMs: 600_000,
          pruneTimeoutMs: 600_000,
          propagationPolicy: "Background",
          waits: true,
          waitsForJobs: false,
        },
        command: "apply",
        holder: "bench",
        leaseWaitMs: 0,
        emit: () => undefined,
        signal: new AbortController().signal,
      });
      if (hasFailures) throw new Error(`${objects} objects: the run failed`);
      return performance.now() - started;
    };
    const createMs = await apply();
    const againMs = await apply();
    const megabytes = Math.round(process.memoryUsage().rss / 1e6);
    console.log(`${objects} objects: ${Math.round(createMs)} ms, ${Math.round(againMs)} ms`);
    grown.push({ objects, createMs, againMs, megabytes });
    sandbox.close();
  }
  return grown;
}

function configMap(index: number): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `bench-${index}`, namespace: "default" },
    data: { index: String(index) },
  };
}

function sourced(object: KubernetesObject): SourcedObject {
  return { object, file: "bench", sourceOf: () => undefined } as unknown as SourcedObject;
}
