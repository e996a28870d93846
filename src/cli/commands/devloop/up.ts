import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { parsePort } from "../../parse-port.ts";
import { type DevLoopFlags, devLoopFlags, devLoopPositional } from "./flags.ts";
import { switchFlag } from "../../flag.ts";

export interface UpFlags extends DevLoopFlags {
  readonly plain: boolean;
  readonly dashboard: boolean;
  readonly dashboardPort?: number;
  readonly readOnly: boolean;
}

export const upCommand = buildCommand<UpFlags, string[], CliContext>({
  loader: lazily(async () => (await import("./up-run.ts")).runUp),
  parameters: {
    flags: {
      plain: switchFlag("Lines as things happen, also on a terminal"),
      dashboard: switchFlag("Serve the dashboard meanwhile", true),
      dashboardPort: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        brief: "The port of the dashboard; 8437, or any if that is taken, unless given",
      },
      readOnly: switchFlag("Let the dashboard change nothing"),
      ...devLoopFlags,
    },
    aliases: { n: "namespace", o: "output" },
    positional: devLoopPositional,
  },
  docs: {
    brief: "Keeps a project running while its files change",
    fullDescription: describe(
      "Applies a source as `keelson apply` does, and watches its files: reads it again when they change,\nbuilds and applies only what changed, runs local commands and servers, forwards ports, and shows\nlogs, on the terminal and on a page whose link it prints. Ctrl-C ends it; what is in the cluster\nstays until `keelson down`.",
      [
        ["keelson up", "the project in this directory"],
        ["keelson up Tiltfile web api", "two components and what they wait for"],
        ["keelson up -- --debug", "with settings for the Tiltfile"],
        ["keelson up --context team-dev", "on a cluster that is not of this machine"],
        ["keelson up --no-dashboard", "without the page"],
        ["helm template chart | keelson up -", "what another tool prints, once"],
      ],
      "up",
    ),
  },
});
