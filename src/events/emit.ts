import type { RunEvent } from "./run-event.ts";

/** Takes the events of a run the moment they happen. */
export type Emit = (event: RunEvent) => void;
