/**
 * `npm run test:times`: runs the suites and writes the time of every file and suite to
 * bench/results/tests.md. `--label NAME` names the section that is written; the others stay.
 * Other arguments go to the runner.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { FileTime } from "../test/time-reporter.ts";
import { childrenCpuSeconds, root, run } from "./run.ts";

const { label, rest } = readArguments(process.argv.slice(2));
const timesFile = join(tmpdir(), `keelson-times-${process.pid}.json`);
process.env["KEELSON_TEST_TIMES"] = timesFile;
const load = loadavg()[0] ?? 0;
const started = performance.now();
const cpuBefore = childrenCpuSeconds();
const reporters = ["default", "./test/count-reporter.ts", "./test/time-reporter.ts"];
process.exitCode = await run("vitest", [
  "run",
  ...reporters.map((name) => `--reporter=${name}`),
  ...rest,
]);
if (existsSync(timesFile)) {
  const times = JSON.parse(readFileSync(timesFile, "utf8")) as readonly FileTime[];
  rmSync(timesFile);
  writeSection(label, report(times));
}

function readArguments(args: readonly string[]): { label: string; rest: readonly string[] } {
  const at = args.indexOf("--label");
  if (at === -1) return { label: "Now", rest: args };
  return { label: args[at + 1] ?? "Now", rest: args.toSpliced(at, 2) };
}

function report(times: readonly FileTime[]): string {
  const wall = (performance.now() - started) / 1000;
  const cpu = childrenCpuSeconds() - cpuBefore;
  const tests = times.reduce((sum, time) => sum + time.tests, 0);
  const suites = [...Map.groupBy(times, ({ project }) => project)]
    .map(([name, files]) => ({ name, files, seconds: secondsOf(files) }))
    .toSorted((left, right) => right.seconds - left.seconds);
  const largest = times
    .filter((time) => secondsOf([time]) >= 1)
    .toSorted((left, right) => secondsOf([right]) - secondsOf([left]));
  const small = times.length - largest.length;
  return [
    `${tests} tests in ${times.length} files: ${wall.toFixed(0)} s, with ${cpu.toFixed(0)} s of CPU`,
    `(${availableParallelism()} cores; load ${load.toFixed(1)} at the start; ${new Date().toISOString().slice(0, 10)}).`,
    "",
    "| suite | files | tests | s |",
    "| --- | ---: | ---: | ---: |",
    ...suites.map(
      ({ name, files, seconds }) =>
        `| ${name} | ${files.length} | ${files.reduce((sum, { tests }) => sum + tests, 0)} | ${seconds.toFixed(1)} |`,
    ),
    "",
    "| file | suite | tests | load s | run s | slowest test |",
    "| --- | --- | ---: | ---: | ---: | --- |",
    ...largest.map(fileRow),
    "",
    `${small} files take less than 1 s each, ${secondsOf(times.filter((time) => !largest.includes(time))).toFixed(1)} s together.`,
  ].join("\n");
}

function fileRow({ file, project, tests, loadMs, runMs, slowest }: FileTime): string {
  const [first] = slowest;
  const named =
    first === undefined || first.ms < 500
      ? ""
      : `${first.name.replaceAll("|", "\\|").slice(0, 70)} (${(first.ms / 1000).toFixed(1)})`;
  return `| ${file} | ${project} | ${tests} | ${(loadMs / 1000).toFixed(1)} | ${(runMs / 1000).toFixed(1)} | ${named} |`;
}

function secondsOf(files: readonly FileTime[]): number {
  return files.reduce((sum, { loadMs, runMs }) => sum + loadMs + runMs, 0) / 1000;
}

/** Puts a section into the page, in the place of the one of that name or at its end. */
function writeSection(title: string, text: string): void {
  const path = join(root, "bench/results/tests.md");
  const page = existsSync(path)
    ? readFileSync(path, "utf8")
    : "# The time of the tests\n\nWritten by `npm run test:times`.\n";
  const [head = "", ...sections] = page.split(/^## /m);
  const named = new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end + 1).trim()];
    }),
  );
  named.set(title, text);
  const body = [...named].map(([name, content]) => `## ${name}\n\n${content}\n`).join("\n");
  writeFileSync(path, `${head.trimEnd()}\n\n${body}`);
}
