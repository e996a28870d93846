import type { TimedEvent } from "../../events/index.ts";

/** Shows the events of a run as they come. */
export interface RunView {
  readonly show: (event: TimedEvent) => void;
  readonly close: () => void;
  /** Says something on standard error, for views that would write over it. */
  readonly tell?: (text: string) => void;
}
