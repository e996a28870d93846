import { buildCommand } from "@stricli/core";
import { type ClusterFlags, clusterFlags } from "../cluster-flags.ts";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";
import { parsePort } from "../parse-port.ts";
import { projectFlags, type ProjectFlags } from "./project/flags.ts";
import { switchFlag } from "../flag.ts";

export interface DashboardFlags extends ClusterFlags, OutputFlags, ProjectFlags {
  readonly port: number;
  readonly readOnly: boolean;
}

export const dashboardCommand = buildCommand<DashboardFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("./dashboard-run.ts")).runDashboard),
  parameters: {
    flags: {
      ...projectFlags,
      ...clusterFlags,
      port: {
        kind: "parsed",
        parse: parsePort,
        default: "8437",
        brief: "The port of this machine to serve on; 0 for any that is free",
      },
      readOnly: switchFlag("Refuse everything that would change something"),
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A directory, a Tiltfile or a program to plan and apply; none unless given",
          placeholder: "source",
          parse: String,
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: "Serves a page that shows what is applied, and how it is",
    fullDescription: describe(
      "Shows every inventory of a cluster in a browser: its components with their status, objects,\nevents and logs, and the graph of all of it, live. Workloads can be restarted and components\ndeleted there; with a source the page also shows its plan and applies it. It is served on this\nmachine only, and lets in whoever has the link that it prints. Values of Secrets are never shown.",
      [
        ["keelson dashboard", "of the current context, or of the sandbox"],
        ["keelson dashboard .", "with the plan of the project in this directory"],
        ["keelson dashboard --context staging --read-only", "of another cluster, only to look"],
        ["keelson dashboard --sandbox --port 0", "of the sandbox, which it serves meanwhile"],
      ],
      "dashboard",
    ),
  },
});
