import { buildCommand, numberParser } from "@stricli/core";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";

export interface SandboxFlags extends OutputFlags {
  readonly data?: string;
  readonly port?: number;
  readonly kubeconfig?: string;
  readonly empty: boolean;
  readonly fresh: boolean;
}

export const sandboxCommand = buildCommand<SandboxFlags, [], CliContext>({
  loader: lazily(async () => (await import("./sandbox-run.ts")).runSandbox),
  parameters: {
    flags: {
      data: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The folder of its data; your own state folder unless given",
        placeholder: "folder",
      },
      port: {
        kind: "parsed",
        parse: numberParser,
        optional: true,
        brief: "The port to serve on; the one of last time, or any that is free, unless given",
      },
      kubeconfig: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Where to write the kubeconfig; into the data folder unless given",
        placeholder: "file",
      },
      empty: {
        kind: "boolean",
        default: false,
        brief: "Only the API, without the simulated runtime: nothing becomes ready by itself",
      },
      fresh: {
        kind: "boolean",
        default: false,
        brief: "Begin without objects; the old ones are set aside in the data folder",
      },
      ...outputFlag,
    },
    aliases: { o: "output" },
  },
  docs: {
    brief: "Serves the built-in Kubernetes API until Ctrl-C",
    fullDescription: describe(
      "A Kubernetes-compatible control plane in this process: real server-side apply, watches,\ncustom resources, garbage collection, and a simulated runtime that makes workloads ready.\nIts objects are kept on disk. kubectl and helm work with it.",
      [
        ["keelson sandbox", "serve your own sandbox"],
        ["keelson sandbox --fresh", "begin without objects"],
        ["keelson sandbox --data ./data --port 6443", "another folder, a fixed port"],
      ],
    ),
  },
});
