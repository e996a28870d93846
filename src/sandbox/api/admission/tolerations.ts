import type { KubernetesObject } from "../../../objects/index.ts";

interface PodSpec {
  readonly tolerations?: readonly { readonly key?: string; readonly effect?: string }[];
}

const evictingTaints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** A pod with the time that it stays on a node that no longer answers. */
export function withTolerations(pod: KubernetesObject): KubernetesObject {
  const spec = (pod["spec"] ?? {}) as PodSpec;
  const present = spec.tolerations ?? [];
  const missing = evictingTaints.filter(
    (key) =>
      !present.some(
        (each) =>
          (each.key === undefined || each.key === key) &&
          (each.effect === undefined || each.effect === "NoExecute"),
      ),
  );
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  }));
  return { ...pod, spec: { ...spec, tolerations: [...present, ...added] } };
}
