import { buildCommand } from "@stricli/core";
import { type ClusterFlags, clusterFlags } from "../cluster-flags.ts";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";
import { parsePort } from "../parse-port.ts";

export interface DashboardFlags extends Omit<ClusterFlags, "namespace">, OutputFlags {
  readonly port: number;
}

const { namespace: _everyNamespace, ...flags } = clusterFlags;

export const dashboardCommand = buildCommand<DashboardFlags, [], CliContext>({
  loader: lazily(async () => (await import("./dashboard-run.ts")).runDashboard),
  parameters: {
    flags: {
      ...flags,
      port: {
        kind: "parsed",
        parse: parsePort,
        default: "8437",
        brief: "The port of this machine to serve on; 0 for any that is free",
      },
      ...outputFlag,
    },
    aliases: { o: "output" },
  },
  docs: {
    brief: "Serves a page that shows what Keelson applied, and how it is, until Ctrl-C",
    fullDescription: describe(
      "Shows every inventory of a cluster in a browser: its components with their status, objects,\nevents and logs, and the graph of all of it, live. It only reads, is served on this machine only,\nand lets in whoever has the link that it prints. Values of Secrets are never shown.",
      [
        ["keelson dashboard", "of the current context, or of the sandbox"],
        ["keelson dashboard --context staging --port 0", "of another cluster, on any free port"],
        ["keelson dashboard --sandbox", "of the sandbox, which it serves meanwhile"],
      ],
    ),
  },
});
