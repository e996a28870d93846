import { buildCommand } from "@stricli/core";
import type { LogLevel } from "../../../controller/runtime/log-level.ts";
import { logLevels } from "../../../controller/runtime/log-level.ts";
import { type ClusterFlags, clusterFlags } from "../../cluster-flags.ts";
import { parseDuration } from "../../duration.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { parsePort } from "../../parse-port.ts";
import { switchFlag, textFlag } from "../../flag.ts";

export interface ControllerFlags extends ClusterFlags {
  readonly install: boolean;
  readonly lease: LeaseFlag;
  readonly leaseDuration: number;
  readonly healthHost: string;
  readonly healthPort?: number;
  readonly logLevel: LogLevel;
  readonly workers: number;
  readonly plugins?: string;
  readonly dashboard: boolean;
  readonly dashboardPort?: number;
  readonly dashboardActions: boolean;
}

export interface LeaseFlag {
  readonly namespace: string;
  readonly name: string;
}

function parseLease(text: string): LeaseFlag {
  const [namespace = "", name = "", ...rest] = text.split("/");
  if (namespace !== "" && name !== "" && rest.length === 0) return { namespace, name };
  throw new SyntaxError(`${JSON.stringify(text)} is no Lease; write namespace/name`);
}

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers >= 1 && workers <= 1000) return workers;
  throw new SyntaxError(`${JSON.stringify(text)} is no number of workers; take 1 to 1000`);
}

export const controllerCommand = buildCommand<ControllerFlags, [], CliContext>({
  loader: lazily(async () => (await import("./controller-run.ts")).runController),
  parameters: {
    flags: {
      ...clusterFlags,
      namespace: textFlag("Look after this namespace only; after all unless given", "name"),
      install: switchFlag(
        "Make its kinds and the namespace of its Lease known to the cluster first",
      ),
      lease: {
        kind: "parsed",
        parse: parseLease,
        default: "keelson-system/keelson-controller",
        brief: "The Lease that lets one of several controllers work",
        placeholder: "namespace/name",
      },
      leaseDuration: {
        kind: "parsed",
        parse: parseDuration,
        default: "15s",
        brief: "How long a controller that died still counts as the one that works",
        placeholder: "duration",
      },
      healthHost: {
        kind: "parsed",
        parse: String,
        default: "127.0.0.1",
        brief: "Where /healthz, /readyz and /metrics are served",
        placeholder: "address",
      },
      healthPort: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        brief: "The port of /healthz, /readyz and /metrics; not served unless given",
      },
      logLevel: {
        kind: "enum",
        values: logLevels,
        default: "info",
        brief: "What is logged",
      },
      workers: {
        kind: "parsed",
        parse: parseWorkers,
        default: "64",
        brief: "Owners of one kind that are looked at side by side",
      },
      plugins: textFlag(
        "The folder whose node_modules hold plugins of bundles; the working directory unless given",
        "folder",
      ),
      dashboard: switchFlag("Serve the dashboard meanwhile, for reading; its link is logged"),
      dashboardPort: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        brief: "The port of the dashboard; 8437, or any if that is taken, unless given",
      },
      dashboardActions: switchFlag(
        "Let the dashboard restart and delete, with the rights of the controller",
      ),
    },
    aliases: { n: "namespace" },
  },
  docs: {
    brief: "Carries out bundles and supply chains in a cluster",
    fullDescription: describe(
      "Watches bundles, supply chains, deliveries and what they make, and brings them to what they say.\nSeveral may run: one leads by a Lease, the others stand by and go on when it stops. Logs are lines\nof JSON. Without a cluster it serves the sandbox and works there.",
      [
        ["keelson controller --install", "on the current context, with its kinds installed first"],
        ["keelson controller --sandbox --install", "on the sandbox, which it serves meanwhile"],
        ["keelson controller --health-port 8081", "with health checks and metrics"],
        ["keelson controller --dashboard", "with a page that shows all of it"],
        ["keelson install | kubectl apply -f -", "run it in the cluster itself"],
      ],
      "controller",
    ),
  },
});
