/**
 * What rewriting adds to loading a program: the processor time of loading the same modules in fresh
 * processes, by Node itself, by a loader that only takes the types away, and rewritten; medians of
 * interleaved rounds.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const rounds = 9;
const mark = "?measured";
const ways = ["node", "plain", "rewritten", "again"] as const;
type Way = (typeof ways)[number];
type Rewrite = (source: string, file: string) => string;

const cacheFolder = join(tmpdir(), "keelson-bench-rewritten");
const root = join(import.meta.dirname, "..");
const programs: Readonly<Record<string, string>> = {
  "the Tiltfile reader (450 modules of TypeScript)": "src/sources/tiltfile/index.ts",
  "the YAML writer (75 modules of JavaScript)": "node_modules/yaml/browser/index.js",
  "the dependency graph (8 modules of TypeScript)": "src/graph/index.ts",
};

const [, , way, file] = process.argv;
if (way === undefined || file === undefined) compare();
else console.log(await cpuTimeOfLoading(way as Way, file));

function compare(): void {
  rmSync(cacheFolder, { recursive: true, force: true });
  const lines = [
    "# Loading programs",
    "",
    "Milliseconds of processor time to load and run the modules of a program in a fresh process, the start of Node and",
    "of the loader left out: by Node itself, by a loader that takes the types away, and rewritten so that decisions on",
    "provisioned values are found, for the first time and again (from the cache). The limit is twice the plain loading.",
    "",
    "| program | Node | plain | rewritten | again | rewritten / Node | rewritten / plain | again / Node | again / plain |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  for (const [name, path] of Object.entries(programs)) {
    const measured = measure(path);
    const [node, plain, rewritten, again] = ways.map((each) => median(measured.get(each) ?? []));
    const ratios = [rewritten, again].flatMap((time) =>
      [node, plain].map((base) => ((time ?? 0) / (base ?? 1)).toFixed(2)),
    );
    const times = [node, plain, rewritten, again].map((time) => time?.toFixed(0));
    lines.push(`| ${[name, ...times, ...ratios].join(" | ")} |`);
    console.log(lines.at(-1));
  }
  lines.push(
    "",
    `Load average at the end: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.`,
    "",
  );
  rmSync(cacheFolder, { recursive: true, force: true });
  writeFileSync(join(import.meta.dirname, "results", "instrument.md"), lines.join("\n"));
}

function measure(path: string): Map<Way, number[]> {
  const times = new Map<Way, number[]>(ways.map((each) => [each, []]));
  for (let round = 0; round < rounds; round++) {
    for (const each of ways) {
      const args = ["--no-warnings", import.meta.filename, each, join(root, path)];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      if (stdout === "") throw new Error(stderr);
      times.get(each)?.push(Number(stdout));
    }
  }
  return times;
}

function median(times: readonly number[]): number {
  return [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

async function cpuTimeOfLoading(chosen: Way, path: string): Promise<number> {
  const rewrite = await rewriterFor(chosen);
  if (rewrite !== undefined) {
    registerHooks({
      load(url, context, next) {
        if (!url.startsWith("file:") || !url.endsWith(mark)) return next(url, context);
        const name = fileURLToPath(url.slice(0, -mark.length));
        const source = rewrite(readFileSync(name, "utf8"), name);
        return { format: "module", source, shortCircuit: true };
      },
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        // A mark keeps the modules apart from those of the loader itself.
        const isInside = context.parentURL?.endsWith(mark) === true;
        const isCode = found.url.startsWith("file:") && /\.m?[jt]s$/.test(found.url);
        return isInside && isCode ? { ...found, url: found.url + mark } : found;
      },
    });
  }
  const before = process.cpuUsage();
  await import(pathToFileURL(path).href + mark);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function rewriterFor(chosen: Way): Promise<Rewrite | undefined> {
  if (chosen === "node") return undefined;
  if (chosen === "rewritten" || chosen === "again") {
    const { instrument, rewriteCacheIn } =
      await import("../src/sources/program/instrument/index.ts");
    const { installRuntime } = await import("../src/resources/provisioned/index.ts");
    installRuntime();
    const cache = chosen === "again" ? rewriteCacheIn(cacheFolder, "bench") : undefined;
    return (source, name) => instrument(source, name, `bench:${name}`, { cache }).code;
  }
  const { transformSync } = await import("rolldown/utils");
  return (source, name) =>
    name.endsWith(".ts") ? transformSync(name, source, { lang: "ts" }).code : source;
}
