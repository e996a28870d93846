import { runToEnd } from "../../processes/index.ts";
import { readdir, readFile } from "node:fs/promises";

export interface ProcessUse {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

const bootIdFile = "/proc/sys/kernel/random/boot_id";
/** What Linux counts in on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * When a process started, as a text that no other process with its number has had or will have;
 * undefined when it has ended.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    return stat === "" ? undefined : startInStat(stat);
  }
  const { stdout } = await ps(["-o", "stat=", "-o", "lstart=", "-p", String(pid)]);
  const [state = "", ...words] = stdout.trim().split(/\s+/);
  return state === "" || state.startsWith("Z") ? undefined : startInWords(words);
}

/** The same from what a process wrote of itself: its own line of /proc, or of ps. */
export async function startIn(written: string): Promise<string | undefined> {
  return written.includes(")") ? startInStat(written) : startInWords(written.trim().split(/\s+/));
}

/** What a process and everything in its group use. */
export async function useOfGroup(group: number): Promise<ProcessUse> {
  return process.platform === "linux" ? linuxUse(group) : psUse(group);
}

async function startInStat(stat: string): Promise<string | undefined> {
  const [state = "", ...fields] = fieldsOf(stat);
  if (state === "Z" || state === "X") return undefined;
  const boot = await readFile(bootIdFile, "utf8").catch(() => "");
  // Ticks start at zero with every boot of the machine.
  return `${boot.slice(0, 8)}.${fields[18] ?? ""}`;
}

function startInWords(words: readonly string[]): string {
  return words.join("_").replaceAll("-", ".");
}

/** The fields after the name, which may itself hold blanks and brackets: state, parent, group … */
function fieldsOf(stat: string): readonly string[] {
  return stat
    .slice(stat.lastIndexOf(")") + 1)
    .trim()
    .split(" ");
}

const longestListingMs = 10_000;
const mostListingBytes = 16 * 1024 * 1024;

async function linuxUse(group: number): Promise<ProcessUse> {
  let ticks = 0;
  let kilobytes = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(await readFile(`/proc/${name}/stat`, "utf8").catch(() => ""));
    if (Number(fields[2]) !== group) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: kilobytes * 1024 };
}

async function psUse(group: number): Promise<ProcessUse> {
  const { stdout } = await ps(["-A", "-o", "pgid=", "-o", "time=", "-o", "rss="]);
  let cpuSeconds = 0;
  let memoryBytes = 0;
  for (const line of stdout.split("\n")) {
    const [pgid, time = "", rss] = line.trim().split(/\s+/);
    if (Number(pgid) !== group) continue;
    cpuSeconds += time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
    memoryBytes += Number(rss) * 1024;
  }
  return { cpuSeconds, memoryBytes };
}

/** It fails when it finds nothing, which is an answer too. */
async function ps(args: readonly string[]): Promise<{ readonly stdout: string }> {
  const ended = await runToEnd({
    command: ["ps", ...args],
    environment: { ...process.env, LC_ALL: "C" },
    timeoutMs: longestListingMs,
    mostOutputBytes: mostListingBytes,
  });
  return { stdout: ended.kind === "ended" ? ended.stdout : "" };
}
