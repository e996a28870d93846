import {
  type ControlAddress,
  controlFolder,
  controlLogs,
  findControl,
} from "../../../devloop/index.ts";
import { isAtLeast, type LogEvent, logLevel } from "../../../events/index.ts";
import type { CliContext } from "../../context.ts";
import { inventoryName, type Project } from "../../../engine/index.ts";
import type { LogPrinter } from "./log-printer.ts";
import type { LogsFlags } from "./logs.ts";

type TimedLog = LogEvent & { readonly timestamp: string };

/** The `keelson up` of a project, if one runs. */
export function runningUp(
  context: CliContext,
  project: Project,
): Promise<ControlAddress | undefined> {
  return findControl(controlFolder(context.process.env), inventoryName(project));
}

/**
 * Prints what a running dev loop has logged, of one component or of all. False when that component has
 * logged nothing there and somebody else may know it.
 */
export async function runningLogs(
  address: ControlAddress,
  component: string | undefined,
  { since, tail, follow, level = "debug" }: LogsFlags,
  signal: AbortSignal,
  printer: LogPrinter,
): Promise<boolean> {
  const newest = since === undefined ? 0 : Date.now() - since;
  const isWanted = (line: TimedLog): boolean =>
    (component === undefined || nameOf(line) === component) &&
    Date.parse(line.timestamp) >= newest &&
    isAtLeast(logLevel(line.message), level);
  const print = (line: TimedLog): void => {
    printer.print(nameOf(line), line.message, line.timestamp);
  };
  const before: TimedLog[] = [];
  let isLive = false;
  let hasAny = component === undefined;
  const stop = new AbortController();
  for await (const event of controlLogs(address, AbortSignal.any([signal, stop.signal]))) {
    if (event.type === "live") {
      isLive = true;
      hasAny ||= component !== undefined && event.onlyHere.includes(component);
      if (!hasAny) break;
      for (const line of before.slice(tail === undefined ? 0 : Math.max(0, before.length - tail)))
        print(line);
      if (!follow) break;
    } else if (event.type === "log") {
      if (nameOf(event) === component) hasAny = true;
      if (!isWanted(event)) continue;
      if (isLive) print(event);
      else before.push(event);
    }
  }
  stop.abort();
  return hasAny;
}

/** What is of no component is said by Keelson itself. */
function nameOf({ component, resource }: LogEvent): string {
  return component ?? resource;
}
