import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { barPlot } from "./bar-plot.ts";
import { linePlot } from "./line-plot.ts";
import type { Grown } from "./live-growth.ts";
import { type Step, steps } from "./live-tools.ts";

/** How long one tool took for one step, once. */
export interface Measured {
  readonly tool: string;
  readonly objects: number;
  readonly step: Step;
  readonly round: number;
  readonly ms: number;
}

/** What is shown as one figure: the median of its rounds. */
type Figure = Pick<Measured, "tool" | "objects" | "step">;

export interface LiveReport {
  readonly measured: readonly Measured[];
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** The load of the machine when the bench began. */
  readonly load: number;
  /** Empty where only a part was measured: then nothing is published, only shown. */
  readonly grown: readonly Grown[];
}

/** Shows the figures, and writes them with their pictures to bench/results. */
export async function publish(report: LiveReport): Promise<void> {
  const { sizes, grown } = report;
  const text = textOf(report);
  console.log(`\n${text}`);
  if (grown.length === 0) return;
  const results = new URL("results/", import.meta.url);
  await mkdir(results, { recursive: true });
  await writeFile(new URL("live.md", results), text);
  await writeFile(
    new URL("live.svg", results),
    linePlot({
      title: "One inventory: seconds by number of objects",
      x: grown.map(({ objects }) => objects),
      series: [
        { name: "create", y: grown.map(({ createMs }) => createMs / 1000) },
        { name: "again, nothing changed", y: grown.map(({ againMs }) => againMs / 1000) },
      ],
    }),
  );
  for (const objects of sizes)
    await writeFile(new URL(`live-peers-${objects}.svg`, results), peersPlot(report, objects));
}

function textOf(report: LiveReport): string {
  const { sizes, rounds, load, grown } = report;
  const growthRows = grown.map(
    ({ objects, createMs, againMs, megabytes }) =>
      `| ${objects} | ${seconds(createMs)} | ${((createMs * 1000) / objects).toFixed(0)} µs | ${seconds(againMs)} | ${((againMs * 1000) / objects).toFixed(0)} µs | ${megabytes} MB |`,
  );
  return `# Live apply

A quarter each of ConfigMaps, Deployments, Services and custom objects; without waiting for readiness.
Median of ${rounds} rounds in one run (helm, kapp and kpt, and kubectl with more than 1,000 objects: one round), on one machine
together with the API server and etcd. kpt always waits for readiness, and has a control plane of its own with controllers
running. In parentheses: against raw server-side apply of every object by our own client, before and after in the same
round, because a server grows slower with every object. Load average of
${availableParallelism()} cores: ${load.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end; times are rough when that is more than the bench itself makes.

${sizes.map((objects) => peersTable(report, objects)).join("\n")}
kubectl and the raw client do not prune; helm and kpt have no plan of their own; helm is not asked for more than
1,000 objects. A cell without a figure is
a step that did not end within a minute for each thousand objects.

## Growth

One inventory on the embedded API server, in one process with it; the memory is that of both.

| objects | create | each | again, nothing changed | each | memory |
|---|---|---|---|---|---|
${growthRows.join("\n")}

![time by number of objects](live.svg)
`;
}

function peersTable(report: LiveReport, objects: number): string {
  const rows = toolsOf(report).map((tool) => {
    const cells = steps.map((step) => cell(report, { tool, objects, step }));
    return `| ${tool} | ${cells.join(" | ")} |`;
  });
  return `## ${objects} objects

| | ${steps.join(" | ")} |
|---|${steps.map(() => "---").join("|")}|
${rows.join("\n")}

${fasterBy(report, objects)}

![seconds by tool and step](live-peers-${objects}.svg)
`;
}

const raw = "raw server-side apply";
const ours = "keelson live apply";
const ourselves = [raw, ours, "keelson, in process"];

function cell(report: LiveReport, of: Figure): string {
  const ms = medianOf(report, of);
  if (ms === undefined) return "–";
  const ratio = ratioToRaw(report, of);
  return `${seconds(ms)}${ratio === undefined ? "" : ` (${ratio.toFixed(2)} ×)`}`;
}

function ratioToRaw(report: LiveReport, of: Figure): number | undefined {
  if (of.step === "prune half" || of.step === "plan") return undefined;
  const step = of.step === "create" ? "create" : "no change";
  const bases = timesOf(report, { ...of, tool: raw, step });
  return median(
    timesOf(report, of).flatMap(({ ms, round }) => {
      const own = bases.filter((base) => base.round === round).map((base) => base.ms);
      return own.length === 0 ? [] : [(ms * own.length) / own.reduce((sum, each) => sum + each)];
    }),
  );
}

/** The two ratios that matter most when nothing changed. */
function fasterBy(report: LiveReport, objects: number): string {
  const own = medianOf(report, { tool: ours, objects, step: "no change" });
  const peers = toolsOf(report)
    .filter((tool) => !ourselves.includes(tool))
    .flatMap((tool) => {
      const ms = medianOf(report, { tool, objects, step: "no change" });
      return ms === undefined || own === undefined ? [] : [{ tool, ratio: ms / own }];
    });
  const shown = peers.map(({ tool, ratio }) => `${tool} ${ratio.toFixed(1)} ×`);
  return `When nothing changed, \`keelson live apply\` is faster than: ${shown.join(", ")}.`;
}

function peersPlot(report: LiveReport, objects: number): string {
  return barPlot({
    title: `${objects} objects: seconds`,
    groups: steps.map((step) => ({
      name: step,
      bars: toolsOf(report).flatMap((tool) => {
        const ms = medianOf(report, { tool, objects, step });
        return ms === undefined ? [] : [{ name: tool, value: ms / 1000 }];
      }),
    })),
  });
}

function toolsOf({ measured }: LiveReport): readonly string[] {
  return [...new Set(measured.map(({ tool }) => tool))];
}

function medianOf(report: LiveReport, of: Figure): number | undefined {
  return median(timesOf(report, of).map(({ ms }) => ms));
}

function timesOf({ measured }: LiveReport, of: Figure): readonly Measured[] {
  return measured.filter(
    ({ tool, objects, step }) => tool === of.tool && objects === of.objects && step === of.step,
  );
}

function median(times: readonly number[]): number | undefined {
  const values = times.toSorted((left, right) => left - right);
  const low = values[Math.floor((values.length - 1) / 2)];
  const high = values[Math.floor(values.length / 2)];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
