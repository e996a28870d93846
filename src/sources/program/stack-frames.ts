import { fileURLToPath } from "node:url";
import type { LoadedModules } from "./loaded-modules.ts";

/** Between two frames of the program there may be several of ours, which are taken out again. */
const framesKept = 50;
/** As many as the engine shows where nobody asks for more. */
const framesShown = 10;

/**
 * Has the stacks of errors show the program as the user wrote it: places are those of the source, and
 * what stands between two functions of the program only because it is rewritten is left out.
 */
export function showOriginalStacks(modules: LoadedModules): void {
  Error.stackTraceLimit = framesKept;
  Error.prepareStackTrace = (error, frames) => {
    const theirs = frames.filter((frame) => !modules.isOwn(fileOf(frame) ?? ""));
    // A stack of ours alone is that of a defect.
    const told = theirs.some((frame) => isLoaded(frame, modules)) ? theirs : frames;
    const most = Error.stackTraceLimit === framesKept ? framesShown : told.length;
    const lines = told.slice(0, most).map((frame) => `\n    at ${frameText(frame, modules)}`);
    return `${Error.prototype.toString.call(error)}${lines.join("")}`;
  };
}

function isLoaded(frame: NodeJS.CallSite, modules: LoadedModules): boolean {
  const file = fileOf(frame);
  return file !== undefined && modules.has(file);
}

function frameText(frame: NodeJS.CallSite, modules: LoadedModules): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- frames write themselves as the engine does
  const text = frame.toString();
  const file = fileOf(frame);
  const [line, column] = [frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0];
  const place = file === undefined ? undefined : modules.originalPosition(file, line, column);
  if (place === undefined) return text;
  return text.replace(`:${line}:${column}`, `:${place.line}:${place.column}`);
}

function fileOf(frame: NodeJS.CallSite): string | undefined {
  const address = frame.getFileName() ?? undefined;
  return address?.startsWith("file:") === true ? fileURLToPath(address) : address;
}
