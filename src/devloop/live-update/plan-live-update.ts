import { join as joinLocal, posix, relative, sep } from "node:path";
import type { LiveUpdateStep } from "../../images/index.ts";
import { isUnder } from "../files/input-match.ts";

type RunStep = Extract<LiveUpdateStep, { readonly kind: "run" }>;

/** What changed files ask for: steps in the running containers, or a new image and why. */
export type LiveUpdatePlan =
  | {
      readonly kind: "steps";
      readonly files: readonly SyncedFile[];
      readonly runs: readonly RunStep[];
      readonly restarts: boolean;
    }
  | { readonly kind: "full"; readonly message?: string | undefined };

export interface SyncedFile {
  readonly local: string;
  /** Where it is in the container. */
  readonly container: string;
}

export function planLiveUpdate(
  liveUpdate: readonly LiveUpdateStep[],
  name: string,
  changed: readonly string[],
): LiveUpdatePlan {
  if (liveUpdate.length === 0) return { kind: "full" };
  const stopping = liveUpdate.flatMap((step) => (step.kind === "fall-back-on" ? step.paths : []));
  const stopped = changed.find((path) => isUnder(stopping, path));
  if (stopped !== undefined)
    return { kind: "full", message: `${stopped} changed, which asks for a new ${name}` };
  const files = changed.map((path) => syncedFile(liveUpdate, path));
  const outside = changed[files.indexOf(undefined)];
  if (outside !== undefined)
    return { kind: "full", message: `${outside} is in no sync of ${name}` };
  return {
    kind: "steps",
    files: files.filter((file) => file !== undefined),
    runs: liveUpdate.filter(
      (step) =>
        step.kind === "run" &&
        (step.triggers.length === 0 || changed.some((path) => isUnder(step.triggers, path))),
    ) as readonly RunStep[],
    restarts: liveUpdate.some(({ kind }) => kind === "restart-container"),
  };
}

/** Where a file goes; of several steps the first that has it. */
export function syncedFile(steps: readonly LiveUpdateStep[], path: string): SyncedFile | undefined {
  for (const step of steps) {
    if (step.kind !== "sync" || !isUnder([step.localPath], path)) continue;
    const inside = relative(step.localPath, path).replaceAll(sep, "/");
    // A file that is synced to a folder keeps its name there.
    const target = step.containerPath.endsWith("/") && inside === "" ? nameOf(path) : inside;
    return { local: joinLocal(path), container: posix.join(step.containerPath, target) };
  }
  return undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1);
}
