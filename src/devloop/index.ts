/**
 * The dev loop: keeps a project running while its files change. What it knows is one state that every
 * view reads ({@link DevState}): a snapshot, and the events after it.
 *
 * It does not know how sources are written, nor how anything is shown.
 */
export type { DevSource, LoadedSource } from "./dev-source.ts";
export type { ComponentSnapshot, DevSnapshot, TimedLog } from "./dev-state.ts";
export { DevState } from "./dev-state.ts";
export { DevLoop } from "./dev-loop.ts";
export { PodFeed } from "./pods/pod-feed.ts";
export { PodLogs } from "./pods/pod-logs.ts";
export { containerRuns } from "./pods/pod-facts.ts";
export { requireAllowedContext } from "./allowed-context.ts";
export type { ControlAddress } from "./control/control-file.ts";
export { controlFolder } from "./control/control-file.ts";
export { serveControl } from "./control/serve-control.ts";
export {
  componentNames,
  controlLogs,
  findControl,
  requestTrigger,
} from "./control/control-client.ts";
export type { CiVerdict } from "./ci-verdict.ts";
export { ciVerdict, isReady } from "./ci-verdict.ts";
export { devSource } from "./read-dev-source.ts";
