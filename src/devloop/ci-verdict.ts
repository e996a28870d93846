import type { Cause } from "../causes/index.ts";
import type { ComponentSnapshot, DevSnapshot } from "./dev-state.ts";

/** How a run that is to end by itself stands. */
export type CiVerdict =
  | { readonly kind: "running"; readonly waitsFor: readonly string[] }
  | { readonly kind: "ready" }
  | {
      readonly kind: "failed";
      readonly component: string;
      readonly message: string;
      readonly cause?: Cause | undefined;
      readonly isRuntime: boolean;
    };

/** All is ready, one has failed, or something is still waited for. */
export function ciVerdict({ components, source }: DevSnapshot): CiVerdict {
  const begun = components.filter(({ update }) => update.status !== "none");
  for (const { name, update } of begun)
    if (update.status === "error")
      return { kind: "failed", component: name, message: update.message, isRuntime: false };
  for (const { name, runtime } of begun)
    if (runtime.status === "error")
      return {
        kind: "failed",
        component: name,
        message: runtime.message,
        cause: runtime.cause,
        isRuntime: true,
      };
  const waitsFor = begun.filter((each) => !isReady(each)).map(({ name }) => name);
  return waitsFor.length === 0 && source.status === "ok"
    ? { kind: "ready" }
    : { kind: "running", waitsFor };
}

export function isReady({ update, runtime }: ComponentSnapshot): boolean {
  return update.status === "ok" && (runtime.status === "ok" || runtime.status === "not_applicable");
}
