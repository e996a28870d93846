import type { TimedEvent } from "../../events/index.ts";
import type { OutputStream } from "../context.ts";

/** Shows the events of a run as they come. */
export interface RunView {
  readonly show: (event: TimedEvent) => void;
  readonly close: () => void;
  /** The same stream for everybody else, for views that would write over what is written there. */
  readonly share?: (stream: OutputStream) => OutputStream;
}
