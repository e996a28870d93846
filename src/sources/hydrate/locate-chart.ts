import { join, resolve } from "node:path";
import { hydrateFailure, type Hydrated, type HydrateTools } from "./hydrated.ts";

/** Where a chart is. */
export interface ChartPlace {
  /** A directory; with a repository the name of a chart in it; else an address such as `oci://…`. */
  readonly chart: string;
  /** The address of a chart repository. */
  readonly repo?: string | undefined;
  /** The version, or a range of versions, of a chart that is not a directory. */
  readonly version?: string | undefined;
  /** Whether a registry is asked by plain HTTP. */
  readonly plainHttp?: boolean | undefined;
}

export type LocatedChart =
  | { readonly kind: "directory"; readonly path: string; readonly arguments: readonly string[] }
  /** helm fetches it. */
  | { readonly kind: "remote"; readonly arguments: readonly string[] }
  | { readonly kind: "failed"; readonly failed: Hydrated };

/** Whether a chart is fetched by helm, rather than found in a directory. */
export function isRemoteChart({ chart, repo = "" }: ChartPlace): boolean {
  return repo !== "" || isAddress(chart);
}

/** Finds a chart, as arguments for helm. */
export function locateChart(place: ChartPlace, tools: HydrateTools): LocatedChart {
  const { chart, repo = "", version = "" } = place;
  if (repo !== "" && isAddress(chart))
    return failed(`the chart ${chart} has a place of its own, and a repository is given too`, {
      hint: "Leave the repository out, or give the name of a chart in it.",
    });
  if (!isRemoteChart(place)) return localChart(resolve(tools.directory, chart), version, tools);
  // `team/shop` is how helm calls the chart `shop` of a repository that it knows as `team`.
  const named = repo === "" ? [chart] : [chart.slice(chart.lastIndexOf("/") + 1), "--repo", repo];
  return {
    kind: "remote",
    arguments: [
      ...named,
      ...(version === "" ? [] : ["--version", version]),
      ...(place.plainHttp === true ? ["--plain-http"] : []),
    ],
  };
}

function localChart(path: string, version: string, { files }: HydrateTools): LocatedChart {
  const kind = files.kindOf(path);
  if (kind === undefined)
    return failed(`the chart ${path} does not exist`, {
      hint: "If it is in a repository, give the address of that as repo.",
    });
  if (kind !== "directory" || files.kindOf(join(path, "Chart.yaml")) !== "file")
    return failed(`${path} is no chart: it is no directory with a Chart.yaml`);
  if (version !== "")
    return failed(`a version is given, and the chart ${path} is a directory`, {
      hint: "Leave the version out: a directory holds one version.",
    });
  return { kind: "directory", path, arguments: [path] };
}

function isAddress(chart: string): boolean {
  return /^[a-z]+:\/\//.test(chart);
}

function failed(summary: string, more: { readonly hint?: string } = {}): LocatedChart {
  return { kind: "failed", failed: hydrateFailure("hydrate.input", summary, more) };
}
