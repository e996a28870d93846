import type { ActionView } from "../../src/dashboard/control-view.ts";

/** What actions are called. */
export const actionNames: Readonly<Record<ActionView["kind"], string>> = {
  trigger: "Trigger",
  restart: "Restart",
  disable: "Disable",
  enable: "Enable",
  delete: "Delete",
  destroy: "Delete",
  apply: "Apply",
};
