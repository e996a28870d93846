import { join, resolve } from "node:path";
import { findProgram } from "./find-program.ts";
import { chartInputs } from "./chart-inputs.ts";
import { hydrateFailure, type Hydrated, type HydrateTools } from "./hydrated.ts";
import { finishChart } from "./finish-chart.ts";
import { runTool } from "./run-tool.ts";

export interface HelmTemplateOptions {
  /** The directory of the chart. */
  readonly chart: string;
  /** The name of the release; the same each time when it is not given. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Files of values beside the chart's own. */
  readonly values?: readonly string[] | undefined;
  readonly set?: readonly string[] | undefined;
  readonly kubeVersion?: string | undefined;
  readonly skipCrds?: boolean | undefined;
}

/** Renders a chart as `helm template` does, without its tests. */
export function helmTemplate(options: HelmTemplateOptions, tools: HydrateTools): Hydrated {
  const chart = resolve(tools.directory, options.chart);
  const problem = checkChart(chart, tools);
  if (problem !== undefined) return problem;
  const helm = tools.programs?.helm ?? findProgram("helm", tools.environment, tools.files);
  if (helm === undefined) return helmMissing();
  const values = (options.values ?? []).map((file) => valuesPath(file, tools));
  const ran = runTool([helm, ...helmArguments(chart, values, options)], tools, helmMissing);
  if (ran.kind === "failed") return ran.failed;
  const local = values.filter((file) => !file.includes("://"));
  const inputs = [...chartInputs(chart, tools.files), ...local];
  const finished = finishChart(ran.yaml, options.namespace);
  return { yaml: finished.yaml, inputs, diagnostics: finished.diagnostics };
}

/** helm also fetches values from addresses. */
function valuesPath(file: string, { directory }: HydrateTools): string {
  return file.includes("://") ? file : resolve(directory, file);
}

function helmArguments(
  chart: string,
  values: readonly string[],
  options: HelmTemplateOptions,
): readonly string[] {
  const { name = "", namespace = "", kubeVersion = "" } = options;
  return [
    "template",
    name === "" ? "chart" : name,
    chart,
    ...(options.skipCrds === true ? ["--skip-crds"] : ["--include-crds"]),
    ...(namespace === "" ? [] : ["--namespace", namespace]),
    ...(kubeVersion === "" ? [] : ["--kube-version", kubeVersion]),
    ...values.flatMap((file) => ["--values", file]),
    ...(options.set ?? []).flatMap((text) => ["--set", text]),
  ];
}

function checkChart(chart: string, { files }: HydrateTools): Hydrated | undefined {
  const kind = files.kindOf(chart);
  if (kind === undefined)
    return hydrateFailure("hydrate.input", `the chart ${chart} does not exist`);
  if (kind === "directory" && files.kindOf(join(chart, "Chart.yaml")) === "file") return undefined;
  return hydrateFailure(
    "hydrate.input",
    `${chart} is no chart: it is no directory with a Chart.yaml`,
  );
}

function helmMissing(): Hydrated {
  return hydrateFailure("hydrate.binary-missing", "helm is not installed", {
    hint: "Install helm (https://helm.sh/docs/intro/install), or put it on the PATH.",
  });
}
