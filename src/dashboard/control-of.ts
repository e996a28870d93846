import type { ActionView, ControlView } from "./control-view.ts";
import type { LiveViewOptions } from "./live-view.ts";
import type { DashboardWorld } from "./world.ts";

/** What the page may ask for at the moment. */
export function controlOf(
  { inventories }: DashboardWorld,
  { source, actions, plans }: Pick<LiveViewOptions, "source" | "actions" | "plans">,
  done: readonly ActionView[],
): ControlView {
  return {
    isReadOnly: actions === undefined,
    canPlan: plans !== undefined,
    canApply: actions !== undefined && plans?.apply !== undefined,
    ...(source === undefined ? {} : { source: source.state() }),
    destroyable:
      actions === undefined
        ? []
        : inventories.filter((each) => actions.canDestroy(each)).map(({ key }) => key),
    actions: done,
  };
}
