import type { StepTrouble } from "../plan/index.ts";

/** How far a resource of a bundle has come. */
export type ResourceState =
  | { readonly kind: "blocked"; readonly message: string }
  | { readonly kind: "in-progress"; readonly reason: string; readonly message: string }
  | { readonly kind: "ready"; readonly message: string }
  | { readonly kind: "error"; readonly isRetried: boolean; readonly message: string };

export function terminal(message: string): ResourceState {
  return { kind: "error", isRetried: false, message };
}

/** What went wrong with a step, as the state of its resource. */
export function errorState({
  isRetried,
  message,
}: Pick<StepTrouble, "isRetried" | "message">): ResourceState {
  return { kind: "error", isRetried, message };
}

export function progressing(reason: string, message: string): ResourceState {
  return { kind: "in-progress", reason, message };
}
