import type { ComponentView } from "../../src/dashboard/dashboard-view.ts";
import type { RuntimeStatus, UpdateStatus } from "../../src/events/run-event.ts";

interface Look {
  readonly color: "good" | "busy" | "bad" | "dull";
  readonly word: string;
}

const updates: Readonly<Record<UpdateStatus, Look>> = {
  none: { color: "dull", word: "not updated" },
  pending: { color: "busy", word: "waiting" },
  in_progress: { color: "busy", word: "updating" },
  ok: { color: "good", word: "updated" },
  error: { color: "bad", word: "update failed" },
  not_applicable: { color: "dull", word: "no update" },
};

const runtimes: Readonly<Record<RuntimeStatus, Look>> = {
  none: { color: "dull", word: "not running" },
  unknown: { color: "dull", word: "unknown" },
  pending: { color: "busy", word: "starting" },
  ok: { color: "good", word: "ready" },
  error: { color: "bad", word: "broken" },
  not_applicable: { color: "dull", word: "nothing runs" },
};

/** The two axes of a component in words; none where no dev loop knows it. */
export function axesOf({ dev }: ComponentView) {
  return dev === undefined
    ? []
    : [
        { name: "Update", ...dev.update, ...updates[dev.update.status] },
        { name: "Runtime", ...dev.runtime, ...runtimes[dev.runtime.status] },
      ];
}
