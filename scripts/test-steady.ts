/**
 * `npm run test:steady`: runs a suite several times under conditions that should not matter, and
 * reports every test that is not green every time: shuffled, with busy processes beside it, other
 * random seeds, other time zones and locales, other temporary folders.
 *
 *   npm run test:steady -- --runs 5 --project pure
 *
 * `--runs N` (5), `--busy N` (2), `--seed N` (the first seed); other arguments go to the runner. A line
 * for each run is added to bench/results/steady.md.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunOutcome } from "../test/failure-reporter.ts";
import { root, run } from "./run.ts";

const zones = ["Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "Pacific/Pago_Pago"];
const locales = ["tr_TR.UTF-8", "de_DE.UTF-8", "ar_EG.UTF-8", "ja_JP.UTF-8", "C"];
const page = join(root, "bench/results/steady.md");

const { runs, busy, seed: firstSeed, rest } = readArguments(process.argv.slice(2));
const failures = new Map<string, string[]>();
const beside = Array.from({ length: busy }, startBusyProcess);
process.once("exit", stopBusyProcesses);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

for (let index = 0; index < runs; index++) {
  const seed = firstSeed + index;
  const zone = zones[seed % zones.length] ?? "UTC";
  const locale = locales[seed % locales.length] ?? "C";
  const started = performance.now();
  const { outcome, left } = await runOnce(seed, zone, locale);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  for (const { name, message } of outcome.failed) {
    failures.set(name, [...(failures.get(name) ?? []), `seed ${seed}: ${message}`]);
  }
  const { passed, failed, skipped } = outcome;
  const counts = `${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const line = `| ${new Date().toISOString().slice(0, 16)} | ${rest.join(" ") || "all"} | ${seed} | ${zone} | ${locale} | ${busy} | ${seconds} | ${counts} | ${left} |`;
  writeLine(line);
  console.log(line);
}
stopBusyProcesses();

if (failures.size === 0) console.log(`Green in all of ${runs} runs.`);
else {
  console.log(`Not green every time, in ${runs} runs:`);
  for (const [name, messages] of failures) {
    console.log(`\n${messages.length} of ${runs}: ${name}`);
    for (const message of messages) console.log(`  ${message.replaceAll("\n", "\n  ")}`);
  }
  process.exitCode = 1;
}

async function runOnce(
  seed: number,
  zone: string,
  locale: string,
): Promise<{ readonly outcome: RunOutcome; readonly left: number }> {
  // A space in its name is the folder of many users.
  const folder = await mkdtemp(join(tmpdir(), "keelson steady-"));
  // As the system's: servers that run as another user make and remove their files in it.
  await chmod(folder, 0o1777);
  const report = join(folder, "..", `keelson-steady-${process.pid}-${seed}.json`);
  const env = {
    TMPDIR: folder,
    TZ: zone,
    LANG: locale,
    LC_ALL: locale,
    KEELSON_TEST_SEED: String(seed),
    KEELSON_TEST_FAILURES: report,
  };
  try {
    await run(
      "vitest",
      [
        "run",
        "--sequence.shuffle.files",
        "--sequence.shuffle.tests",
        `--sequence.seed=${seed}`,
        "--reporter=default",
        "--reporter=./test/failure-reporter.ts",
        ...rest,
      ],
      env,
    );
    const outcome: RunOutcome = existsSync(report)
      ? (JSON.parse(readFileSync(report, "utf8")) as RunOutcome)
      : { passed: 0, skipped: 0, failed: [{ name: "(the run)", message: "it ended early" }] };
    const left = await readdir(folder);
    if (left.length > 0) console.log(`Left in the temporary folder: ${left.join(", ")}`);
    return { outcome, left: left.length };
  } finally {
    await rm(report, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

function startBusyProcess(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
}

function stopBusyProcesses(): void {
  for (const child of beside) child.kill("SIGKILL");
}

function writeLine(line: string): void {
  if (!existsSync(page)) {
    appendFileSync(
      page,
      [
        "# Runs that must all be green",
        "",
        "Written by `npm run test:steady`: shuffled, with busy processes beside it. The last column counts what the run left in its temporary folder.",
        "",
        "| at | what | seed | time zone | locale | busy | s | outcome | left |",
        "| --- | --- | ---: | --- | --- | ---: | ---: | --- | ---: |",
        "",
      ].join("\n"),
    );
  }
  appendFileSync(page, `${line}\n`);
}

function readArguments(args: readonly string[]): {
  readonly runs: number;
  readonly busy: number;
  readonly seed: number;
  readonly rest: readonly string[];
} {
  const values: Record<string, number> = { "--runs": 5, "--busy": 2, "--seed": Date.now() % 1e6 };
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word in values) values[word] = Number(args[++index]);
    else rest.push(word);
  }
  const { "--runs": runs = 5, "--busy": busy = 2, "--seed": seed = 1 } = values;
  return { runs, busy, seed, rest };
}
