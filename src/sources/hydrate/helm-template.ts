import { findProgram } from "./find-program.ts";
import { chartInputs } from "./chart-inputs.ts";
import { hydrateFailure, type Hydrated, type HydrateTools } from "./hydrated.ts";
import { finishChart } from "./finish-chart.ts";
import { givenValues, type HelmValues } from "./helm-values.ts";
import { type ChartPlace, locateChart } from "./locate-chart.ts";
import { runTool } from "./run-tool.ts";

export interface HelmTemplateOptions extends ChartPlace {
  /** The name of the release; the same each time when it is not given. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Values beside the chart's own: files, and data once. Later ones win. */
  readonly values?: HelmValues | readonly HelmValues[] | undefined;
  readonly set?: readonly string[] | undefined;
  readonly kubeVersion?: string | undefined;
  readonly skipCrds?: boolean | undefined;
}

/** Renders a chart as `helm template` does, without its tests. */
export function helmTemplate(options: HelmTemplateOptions, tools: HydrateTools): Hydrated {
  const chart = locateChart(options, tools);
  if (chart.kind === "failed") return chart.failed;
  const values = givenValues(options.values, tools.directory);
  if (values.kind === "failed") return values.failed;
  const helm = tools.programs?.helm ?? findProgram("helm", tools.environment, tools.files);
  if (helm === undefined) return helmMissing();
  const { name = "" } = options;
  const command = [
    helm,
    "template",
    name === "" ? "chart" : name,
    ...chart.arguments,
    ...renderArguments(options),
    ...values.arguments,
    ...(options.set ?? []).flatMap((text) => ["--set", text]),
  ];
  const ran = runTool(command, tools, helmMissing, values.input);
  if (ran.kind === "failed") return ran.failed;
  const local = chart.kind === "directory" ? chartInputs(chart.path, tools.files) : [];
  const finished = finishChart(ran.yaml, options.namespace);
  return {
    yaml: finished.yaml,
    inputs: [...local, ...values.files],
    diagnostics: finished.diagnostics,
  };
}

function renderArguments(options: HelmTemplateOptions): readonly string[] {
  const { namespace = "", kubeVersion = "" } = options;
  return [
    ...(options.skipCrds === true ? ["--skip-crds"] : ["--include-crds"]),
    ...(namespace === "" ? [] : ["--namespace", namespace]),
    ...(kubeVersion === "" ? [] : ["--kube-version", kubeVersion]),
  ];
}

function helmMissing(): Hydrated {
  return hydrateFailure("hydrate.binary-missing", "helm is not installed", {
    hint: "Install helm (https://helm.sh/docs/intro/install), or put it on the PATH.",
  });
}
