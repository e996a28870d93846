import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import { forbiddenStatus } from "../status.ts";
import type { Strategy } from "../strategy.ts";

interface Container {
  readonly name: string;
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
}

type Quantities = Readonly<Record<string, string>>;

interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly tolerations?: readonly { readonly key?: string; readonly effect?: string }[];
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
  readonly volumes?: readonly unknown[];
  readonly schedulingGates?: readonly unknown[];
}

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const evictingTaints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** A pod gets what admission gives every pod: a service account, tolerations, a priority. */
export const podStrategy: Partial<Strategy> = {
  generation: true,
  initialStatus: "drop",
  returnsDeletedObject: true,
  prepareCreate: (pod, context) => {
    const spec = (pod["spec"] ?? {}) as PodSpec;
    const complete = withPriority(withTolerations(withServiceAccount(pod, spec, context)), context);
    return {
      ...pod,
      spec: complete,
      status: { phase: "Pending", ...gatedCondition(spec), qosClass: qualityOfService(spec) },
    };
  },
};

function withServiceAccount(
  pod: KubernetesObject,
  spec: PodSpec,
  { store, random }: ApiContext,
): PodSpec {
  const account = spec.serviceAccountName ?? "default";
  const { namespace = "", name = "" } = pod.metadata;
  const found = store.get("/serviceaccounts", namespace, account)?.object;
  if (found === undefined) {
    const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
    throw forbiddenStatus({ group: "", resource: "pods" }, name, why);
  }
  const named = { ...spec, serviceAccountName: account, serviceAccount: account };
  const mounts = spec.automountServiceAccountToken ?? found["automountServiceAccountToken"] ?? true;
  return mounts === true ? withTokenVolume(named, `kube-api-access-${random.suffix(5)}`) : named;
}

function withTokenVolume(spec: PodSpec, volume: string): PodSpec {
  const mount = { name: volume, readOnly: true, mountPath: tokenPath };
  const mounted = (container: Container): Container => {
    const mounts = container.volumeMounts ?? [];
    const hasOne = mounts.some(({ mountPath }) => mountPath === tokenPath);
    return hasOne ? container : { ...container, volumeMounts: [...mounts, mount] };
  };
  return {
    ...spec,
    volumes: [...(spec.volumes ?? []), tokenVolume(volume)],
    containers: (spec.containers ?? []).map(mounted),
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: spec.initContainers.map(mounted) }),
  };
}

function tokenVolume(name: string): unknown {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [
              {
                path: "namespace",
                fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
              },
            ],
          },
        },
      ],
    },
  };
}

function withTolerations(spec: PodSpec): PodSpec {
  const present = spec.tolerations ?? [];
  const missing = evictingTaints.filter(
    (key) =>
      !present.some(
        (each) =>
          (each.key === undefined || each.key === key) &&
          (each.effect === undefined || each.effect === "NoExecute"),
      ),
  );
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  }));
  return { ...spec, tolerations: [...present, ...added] };
}

function withPriority(spec: PodSpec, { store }: ApiContext): PodSpec {
  const className = spec.priorityClassName ?? "";
  const found =
    className === ""
      ? undefined
      : store.get("scheduling.k8s.io/priorityclasses", "", className)?.object;
  const value = found?.["value"];
  return {
    ...spec,
    priority: typeof value === "number" ? value : (spec.priority ?? 0),
    preemptionPolicy: spec.preemptionPolicy ?? "PreemptLowerPriority",
  };
}

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
