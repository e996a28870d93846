import type { Cluster } from "../../../cluster/index.ts";
import { PodFeed, PodLogs } from "../../../devloop/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import type { LogPrinter } from "./log-printer.ts";
import type { LogsFlags } from "./logs.ts";

/**
 * Prints what the pods of resources log, also of those that take their places, until the signal; or
 * until the last of them has ended, as those of Jobs do.
 */
export async function followPods(
  cluster: Cluster,
  resources: readonly RecordedResource[],
  { since, tail }: Pick<LogsFlags, "since" | "tail">,
  printer: LogPrinter,
  signal: AbortSignal,
): Promise<void> {
  const over = Promise.withResolvers<void>();
  const stop = new AbortController();
  const lookForEnd = (): void => {
    const pods = resources.flatMap(({ name }) => feed.podsOf(name));
    if (pods.length > 0 && pods.every(hasEnded) && !logs.isOpen) over.resolve();
  };
  const logs = new PodLogs({
    cluster,
    since: Date.now(),
    ofOld: {
      ...(since === undefined ? {} : { sinceSeconds: Math.ceil(since / 1000) }),
      ...(tail === undefined ? {} : { tailLines: tail }),
    },
    signal: AbortSignal.any([signal, stop.signal]),
    onLine: (_resource, pod, line) => {
      printer.print(pod, line);
    },
    onEnd: lookForEnd,
  });
  const feed = new PodFeed({
    cluster,
    onPod: (resource, pod, isGone) => {
      if (!isGone) logs.look(resource, pod);
      lookForEnd();
    },
    onTrouble: over.reject,
  });
  signal.addEventListener("abort", () => {
    over.resolve();
  });
  feed.follow(
    resources.map(({ name, identity }) => ({
      component: name,
      objects: [identity],
      selectors: [],
      onlySelectors: false,
    })),
  );
  try {
    await over.promise;
  } finally {
    stop.abort();
    feed.close();
  }
}

function hasEnded(pod: KubernetesObject): boolean {
  const { phase } = (pod["status"] ?? {}) as { readonly phase?: string };
  return phase === "Succeeded" || phase === "Failed";
}
