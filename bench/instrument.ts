/**
 * What rewriting adds to loading a program: the processor time of loading the same modules in fresh
 * processes, by Node itself, by a loader that only takes the types away, and rewritten; medians of
 * interleaved rounds.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
const generated = join(tmpdir(), "keelson-bench-program");
const modules = 20;
const library = pathToFileURL(join(root, "src/index.ts")).href;
const programs: Readonly<Record<string, string>> = {
  [`a program (${modules} modules of TypeScript, 1,000 resources)`]: generated,
  "the Tiltfile reader (450 modules of TypeScript)": "src/sources/tiltfile/index.ts",
  "the YAML writer (75 modules of JavaScript)": "node_modules/yaml/browser/index.js",
  "the dependency graph (8 modules of TypeScript)": "src/graph/index.ts",
};

const runtime = `const { construct, superArguments } = globalThis[Symbol.for("keelson.runtime")];
const here = () => ({ file: import.meta.filename, token: "bench:" + import.meta.filename })`;

const [, , way, file] = process.argv;
if (way === undefined || file === undefined) compare();
else console.log(await cpuTimeOfLoading(way as Way, file));

/**
 * A program as people write them: a class a module, whose instances use each other's properties. Written
 * a second time, it tells itself where each resource stands, which is all that the library must know.
 */
function writeProgram(isPlain: boolean): void {
  const folder = join(generated, isPlain ? "plain" : "rewritten");
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: modules }, (_, index) => `Team${index}`);
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), moduleOf(name, isPlain));
  const uses = names.map((name, index) =>
    made(isPlain, name, index, `"${name.toLowerCase()}", { replicas: 2 }`),
  );
  const imports = names.map((name) => `import { ${name} } from "./${name}.ts";`);
  const head = isPlain ? [runtime] : [];
  writeFileSync(join(folder, "main.ts"), [...imports, ...head, ...uses].join(";\n"));
}

function made(isPlain: boolean, type: string, line: number, given: string): string {
  return isPlain
    ? `construct(${type}, [${given}], ${line}, 1, undefined, 1, 2, here)`
    : `new ${type}(${given})`;
}

function moduleOf(name: string, isPlain: boolean): string {
  const make = (type: string, line: number, given: string): string =>
    made(isPlain, `k8s.${type}`, line, given);
  const parent = isPlain ? "...superArguments(Resource, [id, {}], 1, 2, here)" : "id, {}";
  return `
import { k8s, Resource } from "${library}";
${isPlain ? runtime : ""}

export interface ${name}Args {
  readonly replicas: number;
  readonly image?: string;
}

/** Ten services of one team, each with its settings, behind one account. */
export class ${name} extends Resource {
  readonly addresses: string[] = [];

  constructor(id: string, { replicas, image = "registry.example.com/app:1" }: ${name}Args) {
    super(${parent});
    const account = ${make("ServiceAccount", 1, '"account", {}')};
    for (let index = 0; index < 10; index++) {
      const labels = { app: id + "-" + index, team: id };
      const settings = ${make("ConfigMap", 2, '"settings" + index, { data: { level: index % 2 === 0 ? "info" : "debug", owner: account.metadata.name } }')};
      const template = {
        metadata: { labels },
        spec: {
          serviceAccountName: account.metadata.name,
          containers: [{ name: "app", image, envFrom: [{ configMapRef: { name: settings.metadata.name } }] }],
        },
      };
      const deployment = ${make("Deployment", 3, '"app" + index, { spec: { replicas, selector: { matchLabels: labels }, template } }')};
      const service = ${make("Service", 4, '"service" + index, { spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 + index }] } }')};
      ${make("PodDisruptionBudget", 5, '"budget" + index, { spec: { minAvailable: Math.max(1, replicas - 1), selector: { matchLabels: labels } } }, { dependsOn: [deployment] }')};
      ${make("Secret", 6, '"key" + index, { stringData: { host: "http://" + id + index, service: service.metadata.name } }')};
      this.addresses.push(id + "-" + index + ":80");
    }
  }
}
`;
}

function compare(): void {
  rmSync(cacheFolder, { recursive: true, force: true });
  for (const isPlain of [true, false]) writeProgram(isPlain);
  const lines = [
    "# Loading programs",
    "",
    "Milliseconds of processor time to load and run the modules of a program in a fresh process, the start of Node and",
    "of the loader left out: by Node itself, by a loader that takes the types away, and rewritten so that decisions on",
    "provisioned values are found, for the first time and again (from the cache). The limit for a program is twice the",
    "plain loading. The other rows are code that allocates nothing, as packages that declare keelson may hold it; packages",
    "that do not are not rewritten.",
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
  rmSync(generated, { recursive: true, force: true });
  writeFileSync(join(import.meta.dirname, "results", "instrument.md"), lines.join("\n"));
}

function measure(path: string): Map<Way, number[]> {
  const times = new Map<Way, number[]>(ways.map((each) => [each, []]));
  for (let round = 0; round < rounds; round++) {
    for (const each of ways) {
      const args = ["--no-warnings", import.meta.filename, each, pathOf(each, path)];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      if (stdout === "") throw new Error(stderr);
      times.get(each)?.push(Number(stdout));
    }
  }
  return times;
}

function pathOf(each: Way, path: string): string {
  if (path !== generated) return join(root, path);
  const isPlain = each === "node" || each === "plain";
  return join(generated, isPlain ? "plain" : "rewritten", "main.ts");
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
        if (found.url === library) return found;
        // A mark keeps the modules apart from those of the loader itself.
        const isInside = context.parentURL?.endsWith(mark) === true;
        const isCode = found.url.startsWith("file:") && /\.m?[jt]s$/.test(found.url);
        return isInside && isCode ? { ...found, url: found.url + mark } : found;
      },
    });
  }
  if (path.startsWith(generated)) await beginProgram();
  const before = process.cpuUsage();
  await import(pathToFileURL(path).href + mark);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What programs use is there before they begin, whichever way they are loaded. */
async function beginProgram(): Promise<void> {
  const { beginRun, EvaluationRun: ProgramRun } = await import("../src/resources/index.ts");
  await import(library);
  beginRun(
    new ProgramRun({
      env: "bench",
      stage: new Map(),
      hasProvider: () => true,
      currentPlace: () => undefined,
      manifestOf: () => "",
    }),
  );
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
