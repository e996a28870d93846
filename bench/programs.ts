/**
 * Programs of a growing number of resources, as commands on the sandbox, each a process of its own: what
 * evaluating alone takes, planning, applying (without waiting for readiness), and planning again. Writes
 * bench/results/programs.md and programs.svg.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { linePlot } from "./line-plot.ts";

const sizes = [10, 1000, 2500, 5000, 10_000];
const perTeam = 10;
const bin = join(import.meta.dirname, "../bin/keelson.js");

/** Teams of ten: a class, and ConfigMaps, Services and a Secret that use each other's properties. */
const program = (count: number): string => `
import { k8s, Resource } from "keelson";
class Team extends Resource {
  constructor(id: string) {
    super(id, {});
    let last: k8s.ConfigMap | undefined;
    for (let i = 0; i < 4; i++) {
      last = new k8s.ConfigMap("c" + i, { data: { last: last === undefined ? "" : last.metadata.name } });
      new k8s.Service("s" + i, { spec: { ports: [{ port: 80 }], selector: { uid: last.metadata.uid } } });
    }
    new k8s.Secret({ stringData: { last: last!.metadata.name } });
  }
}
for (let i = 0; i < ${count / perTeam}; i++) new Team("t" + i);
`;

const steps = [
  ["load", ["graph", "."]],
  ["first plan", ["plan", "."]],
  ["apply", ["apply", ".", "--no-wait"]],
  ["plan again", ["plan", "."]],
] as const;

const folder = mkdtempSync(join(tmpdir(), "keelson-bench-"));
const begun = loadavg()[0] ?? 0;
try {
  const rows = sizes.map((count) => ({ count, times: measure(count) }));
  const small = join(folder, "10");
  const starts = Array.from({ length: 9 }, () => timeOf(small, ["plan", "."])).sort(
    (a, b) => a - b,
  );
  publish(rows, starts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(count: number): readonly number[] {
  const app = join(folder, String(count));
  mkdirSync(app);
  writeFileSync(join(app, "keelson.json"), '{ "project": "bench" }');
  writeFileSync(join(app, "main.ts"), program(count));
  return steps.map(([name, args]) => {
    const ms = timeOf(app, args);
    console.log(`${count} resources, ${name}: ${ms.toFixed(0)} ms`);
    return ms;
  });
}

function timeOf(app: string, args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: app,
    env: { ...process.env, HOME: app, XDG_CACHE_HOME: join(folder, "cache"), KUBECONFIG: "" },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`keelson ${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

function publish(
  rows: readonly { readonly count: number; readonly times: readonly number[] }[],
  starts: readonly number[],
): void {
  const table = rows.map(({ count, times }) => {
    const cells = times.map(
      (ms) => `${(ms / 1000).toFixed(2)} s (${((ms * 1000) / count).toFixed(0)} µs)`,
    );
    return `| ${count} | ${cells.join(" | ")} |`;
  });
  const text = `# Programs

Programs of ConfigMaps, Services and Secrets that use each other's properties, ten to a class, as commands on
the sandbox, each a process of its own with the API server in it. In parentheses: for each resource. Load average of
${availableParallelism()} cores: ${begun.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end.

| resources | ${steps.map(([name]) => name).join(" | ")} |
|---|${steps.map(() => "---").join("|")}|
${table.join("\n")}

From the start of the process to the end of the plan of 10 resources: ${starts[Math.floor(starts.length / 2)]?.toFixed(0)} ms (median of ${starts.length}, fastest ${starts[0]?.toFixed(0)} ms).

![seconds by number of resources](programs.svg)
`;
  const results = join(import.meta.dirname, "results");
  writeFileSync(join(results, "programs.md"), text);
  writeFileSync(
    join(results, "programs.svg"),
    linePlot({
      title: "Programs: seconds by number of resources",
      x: rows.map(({ count }) => count),
      series: steps.map(([name], index) => ({
        name,
        y: rows.map(({ times }) => (times[index] ?? 0) / 1000),
      })),
    }),
  );
  console.log(`\n${text}`);
}
