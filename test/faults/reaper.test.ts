import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { patienceMs } from "../patience.ts";

const source = JSON.stringify(new URL("../../src/processes/reaper.ts", import.meta.url).href);

it("ends what a killed process left, however often other groups were taken off its list", async () => {
  // `keelson up` takes a group off when its first process ends, and again when it was stopped.
  const program = `
    import { forgetReaping, spawnReaped } from ${source};
    const child = spawnReaped("sleep", ["1000"], { cwd: ".", env: process.env, stdin: "ignore" });
    for (let group = 0; group < 64; group++) forgetReaping(999_999_999);
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.stdout.write(String(child.pid));
    process.kill(process.pid, "SIGKILL");`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: patienceMs,
  });
  const pid = Number(stdout);
  expect(pid).toBeGreaterThan(0);
  try {
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
