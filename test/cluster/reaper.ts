/**
 * Ends what a control plane started when its owner is gone, however it went: the owner holds this
 * process's standard input open and writes `pid N` and `folder PATH` lines to it.
 */
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const pids = new Set<number>();
const folders = new Set<string>();

process.on("SIGINT", () => {
  // A Ctrl-C reaches the whole group; the owner's end of the pipe decides.
});
process.on("SIGTERM", () => {
  // As above.
});

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [word = "", value = ""] = line.split(/ (.*)/s);
  if (word === "pid") pids.add(Number(value));
  else if (word === "forget") pids.delete(Number(value));
  else if (word === "folder") folders.add(value);
});
lines.on("close", () => {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It had ended already.
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});
