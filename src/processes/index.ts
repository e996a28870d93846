/**
 * Child processes: start them, follow what they print, run them to their end, end them with everything
 * that they started. The only folder that starts any. Also knows and makes the folders
 * in which things are left.
 *
 * It knows no Kubernetes, and nothing of why a command is run.
 */
export { followProcess } from "./follow-process.ts";
export { makeFolder } from "./make-folder.ts";
export { couldNotStart, exitCodeOf, stopGroup } from "./process-group.ts";
export type { RunOutcome } from "./run-to-end.ts";
export { runToEnd } from "./run-to-end.ts";
export { runToEndSync } from "./run-to-end-sync.ts";
export { signalGroup } from "./signal-group.ts";
export { splitLines } from "./split-lines.ts";
export type { ChildProcess } from "./start-child.ts";
export { startChild } from "./start-child.ts";
export { cacheFolder, stateFolder } from "./user-folders.ts";
