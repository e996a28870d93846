import type { RunEvent } from "../events/index.ts";

/** Where the events of a run go. */
export type Emit = (event: RunEvent) => void;
