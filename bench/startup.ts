/** How much `keelson` adds to the start of Node itself: medians of interleaved runs. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const rounds = 25;
const bin = join(import.meta.dirname, "..", "bin", "keelson.js");
const commands: Readonly<Record<string, readonly string[]>> = {
  "node -e 0": ["-e", "0"],
  "keelson --version": [bin, "--version"],
  "keelson --help": [bin, "--help"],
  "keelson check FILE": [bin, "check", join(import.meta.dirname, "..", "package.json")],
};

const times = new Map<string, number[]>();
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) {
    const started = performance.now();
    spawnSync(process.execPath, args, { stdio: "ignore" });
    times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
  }
}
const median = (name: string): number =>
  (times.get(name) ?? []).sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0;
const base = median("node -e 0");
for (const name of Object.keys(commands)) {
  const time = median(name);
  console.log(
    `${name.padEnd(20)} ${time.toFixed(1).padStart(7)} ms  (+${(time - base).toFixed(1)} ms)`,
  );
}
