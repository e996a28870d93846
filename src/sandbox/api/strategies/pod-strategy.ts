import type { Strategy } from "../strategy.ts";

interface Container {
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
}

type Quantities = Readonly<Record<string, string>>;

interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly schedulingGates?: readonly unknown[];
}

/** A new pod waits for a node; its class of service follows from what its containers ask for. */
export const podStrategy: Partial<Strategy> = {
  generation: true,
  initialStatus: "drop",
  returnsDeletedObject: true,
  prepareCreate: (pod) => {
    const spec = (pod["spec"] ?? {}) as PodSpec;
    const status = {
      phase: "Pending",
      ...gatedCondition(spec),
      qosClass: qualityOfService(spec),
    };
    return { ...pod, status };
  },
};

function gatedCondition({ schedulingGates = [] }: PodSpec): object {
  if (schedulingGates.length === 0) return {};
  const condition = {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: null,
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { conditions: [condition] };
}

/** Guaranteed when every container limits cpu and memory to what it requests. */
function qualityOfService({ containers, initContainers }: PodSpec): string {
  // A pod without any is refused later, by its validation.
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  const isFree = all.every(
    ({ resources }) => isEmpty(resources?.requests) && isEmpty(resources?.limits),
  );
  if (isFree) return "BestEffort";
  const isGuaranteed = all.every(({ resources }) =>
    ["cpu", "memory"].every((name) => {
      const limit = resources?.limits?.[name];
      return limit !== undefined && (resources?.requests?.[name] ?? limit) === limit;
    }),
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function isEmpty(quantities: Quantities | undefined): boolean {
  return (
    quantities === undefined ||
    (quantities["cpu"] === undefined && quantities["memory"] === undefined)
  );
}
