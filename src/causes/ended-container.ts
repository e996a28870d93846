import { errorLine } from "./error-line.ts";
import { knownError } from "./known-error.ts";
import { memoryLimitOf, type PodContainer, type EndedState } from "./pod-shape.ts";

/** What ended a container, told with what is known of its log. */
export interface EndedContainer {
  readonly summary: string;
  readonly evidence: string | undefined;
}

/** Why a container ended, or was not even started; `times` is how often it has. */
export function endedContainer(
  container: PodContainer | undefined,
  ended: EndedState,
  log: readonly string[] | undefined,
  times: number,
): EndedContainer {
  const evidence = errorLine(log ?? []);
  if (ended.reason === "OOMKilled") {
    const limit = memoryLimitOf(container);
    const room = limit === undefined ? "its node has no more" : `limit ${limit}`;
    return { summary: `out of memory: ${room}, killed ${timesText(times)}`, evidence };
  }
  const unstarted = unstartable(ended.message);
  if (unstarted !== undefined) return { summary: unstarted, evidence: ended.message };
  const code = ended.exitCode ?? 0;
  const often = times > 1 ? `, ended ${timesText(times)}` : "";
  return { summary: `${whatEnded(code, evidence)}${often}`, evidence };
}

function whatEnded(code: number, evidence: string | undefined): string {
  if (code === 0) return "the program ends with exit 0, but is meant to keep running";
  const missing = /(?:^|: )([^\s:]+): (?:command )?not found$/.exec(evidence ?? "")?.[1];
  if (code === 127) return `command not found${suffix(missing)}, exit 127`;
  const locked = /(?:^|: )([^\s:]+): [Pp]ermission denied$/.exec(evidence ?? "")?.[1];
  if (code === 126) return `command cannot be executed${suffix(locked)}, exit 126`;
  const signal = signals[code];
  if (evidence === undefined)
    return signal === undefined ? `the program fails with exit ${code}` : `${signal}, exit ${code}`;
  return `${knownError(evidence) ?? signal ?? evidence}, exit ${code}`;
}

function suffix(name: string | undefined): string {
  return name === undefined ? "" : `: ${name}`;
}

const signals: Readonly<Record<number, string>> = {
  134: "the program aborted itself (SIGABRT)",
  137: "killed (SIGKILL)",
  139: "segmentation fault (SIGSEGV)",
  143: "told to stop (SIGTERM)",
};

/** What a container runtime says of a command that it could not start. */
export function unstartable(message = ""): string | undefined {
  const [, command, why] =
    /exec: "([^"]+)": (executable file not found|stat [^:]*: no such file|permission denied|no such file)/.exec(
      message,
    ) ?? [];
  if (command === undefined) return undefined;
  return why === "permission denied"
    ? `command cannot be executed: ${command}`
    : `command not found: ${command}`;
}

export function timesText(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
