import { readFileSync, readlinkSync } from "node:fs";

/**
 * Tells this process from all others that this machine has, had and will have since it was started, where
 * that can be known: numbers of processes are used again, and containers count their own.
 */
export function processMark(): string | undefined {
  const here = machineMark();
  const started = here === undefined ? undefined : startOf(process.pid);
  if (here === undefined || typeof started !== "string") return undefined;
  return `${here} ${process.pid} ${started}`;
}

/** Whether the process of a mark has certainly ended. Of processes elsewhere nothing is certain. */
export function hasEnded(mark: string): boolean {
  const found = /^(.+) (\d+) (\d+)$/.exec(mark);
  if (found === null || found[1] !== machineMark()) return false;
  const started = startOf(Number(found[2]));
  return started === "ended" || (started !== undefined && started !== found[3]);
}

/** The kernel since it was started, and whose numbers of processes count: one for the life of this process. */
function machineMark(): string | undefined {
  if (machine !== undefined) return machine;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    machine = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
    return machine;
  } catch {
    return undefined;
  }
}

let machine: string | undefined;

/** When a process was started, in ticks since the machine was; undefined when it may not be looked at. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "ended";
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may contain anything.
    const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // A zombie writes nothing more; it only waits for its parent.
    return state === "Z" || state === "X" ? "ended" : fields[18];
  } catch {
    return undefined;
  }
}
