import { shellWord } from "../diagnostics/index.ts";
import type { DevComponent } from "./dev-component.ts";
import { mostRestlessBuilds } from "./image-builds.ts";
import type { DevContext } from "./dev-context.ts";

export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/** What an update has to wait for; undefined when it can begin. */
export function updateObstacle(
  { state, current }: Pick<DevContext, "state" | "current">,
  { pending, component, restlessBuilds }: DevComponent,
): Obstacle | undefined {
  if (component.triggerMode === "manual" && pending?.kind === "change")
    return {
      reason: "ManualTrigger",
      message: `${pending.message}; \`keelson trigger ${shellWord(component.name)}\` updates it`,
    };
  if (restlessBuilds >= mostRestlessBuilds && pending?.kind !== "trigger")
    return {
      reason: "RestlessFiles",
      message: `its files changed during each of ${restlessBuilds} builds; what a build writes belongs into ignore; \`keelson trigger ${shellWord(component.name)}\` tries again`,
    };
  // A program is ordered by its own plan.
  if (current()?.desired.whole !== undefined) return undefined;
  for (const name of component.dependsOn) {
    const other = state.component(name);
    if (other === undefined) continue;
    const { update, runtime } = other;
    const isReady =
      update.status === "ok" && (runtime.status === "ok" || runtime.status === "not_applicable");
    if (isReady) continue;
    const why = update.status === "ok" ? runtime : update;
    return { reason: "WaitingForDependency", message: `waits for ${name}: ${why.message}` };
  }
  return undefined;
}
