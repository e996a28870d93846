import { durationMs, type KubernetesObject } from "../../objects/index.ts";

const annotation = "sandbox.keelson.dev/trouble";

/** What a pod is made to suffer from, so that a test can see how its program takes it. */
export type Trouble =
  | { readonly kind: "none" }
  | { readonly kind: "crash-loop" }
  | { readonly kind: "image-pull-error" }
  | { readonly kind: "never-ready" }
  | { readonly kind: "oom" }
  | { readonly kind: "unschedulable" }
  | { readonly kind: "slow"; readonly delayMs: number }
  | { readonly kind: "unknown"; readonly text: string };

/** Reads the annotation of a pod; what it does not know is said in an event rather than ignored. */
export function troubleOf({ metadata }: KubernetesObject): Trouble {
  const text = metadata.annotations?.[annotation]?.trim() ?? "";
  switch (text) {
    case "":
      return { kind: "none" };
    case "crash-loop":
    case "image-pull-error":
    case "never-ready":
    case "oom":
    case "unschedulable":
      return { kind: text };
    default: {
      const delayMs = text.startsWith("slow=") ? durationMs(text.slice(5)) : undefined;
      return delayMs === undefined ? { kind: "unknown", text } : { kind: "slow", delayMs };
    }
  }
}
