import { buildCommand, buildRouteMap } from "@stricli/core";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";
import { parsePort } from "../parse-port.ts";
import { switchFlag, textFlag } from "../flag.ts";

export interface SandboxFlags extends OutputFlags {
  readonly data?: string;
  readonly port?: number;
  readonly kubeconfig?: string;
  readonly empty: boolean;
  readonly fresh: boolean;
  readonly allowProcesses: boolean;
}

export interface SnapshotFlags extends OutputFlags {
  readonly data?: string;
}

const dataFlag = {
  data: textFlag("The folder of its data; your own state folder unless given", "folder"),
} as const;

const serveCommand = buildCommand<SandboxFlags, [], CliContext>({
  loader: lazily(async () => (await import("./sandbox-run.ts")).runSandbox),
  parameters: {
    flags: {
      ...dataFlag,
      port: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        brief: "The port to serve on; the one of last time, or any that is free, unless given",
      },
      kubeconfig: textFlag(
        "Where to write the kubeconfig; into the data folder unless given",
        "file",
      ),
      empty: switchFlag(
        "Only the API, without the simulated runtime: nothing becomes ready by itself",
      ),
      fresh: switchFlag("Begin without objects; the old ones are set aside in the data folder"),
      allowProcesses: switchFlag(
        "Let the annotation sandbox.keelson.dev/run start processes of this machine",
      ),
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
        ["keelson sandbox --allow-processes", "annotated containers are processes of this machine"],
      ],
      "sandbox serve",
    ),
  },
});

const fileArgument = (brief: string) =>
  ({
    kind: "tuple",
    parameters: [{ brief, placeholder: "file", parse: String }],
  }) as const;

const snapshotCommand = buildCommand<SnapshotFlags, [file: string], CliContext>({
  loader: lazily(async () => (await import("./sandbox-snapshot-run.ts")).runSnapshot),
  parameters: {
    flags: { ...dataFlag, ...outputFlag },
    aliases: { o: "output" },
    positional: fileArgument("The file to write; - for the standard output"),
  },
  docs: {
    brief: "Writes all objects of the sandbox to a file",
    fullDescription: describe(
      "Writes every object of the sandbox to one file, a line each, also while it is served.\nThe file holds the values of secrets: it can be read by its owner only.",
      [["keelson sandbox snapshot before.jsonl", "keep the state of now"]],
      "sandbox snapshot",
    ),
  },
});

const restoreCommand = buildCommand<SnapshotFlags, [file: string], CliContext>({
  loader: lazily(async () => (await import("./sandbox-snapshot-run.ts")).runRestore),
  parameters: {
    flags: { ...dataFlag, ...outputFlag },
    aliases: { o: "output" },
    positional: fileArgument("The file to read; - for the standard input"),
  },
  docs: {
    brief: "Replaces all objects of the sandbox by those of a file",
    fullDescription: describe(
      "Makes the objects of a snapshot those of the sandbox; the former ones are kept aside in the\ndata folder. Nobody may be serving the sandbox meanwhile.",
      [["keelson sandbox restore before.jsonl", "go back to that state"]],
      "sandbox restore",
    ),
  },
});

/** `keelson sandbox` alone serves; its state can be kept in a file and brought back. */
export const sandboxCommands = buildRouteMap({
  routes: { serve: serveCommand, snapshot: snapshotCommand, restore: restoreCommand },
  defaultCommand: "serve",
  docs: {
    brief: "Serves the built-in Kubernetes API; snapshots and restores it",
    fullDescription: describe(
      "A Kubernetes-compatible control plane with nothing to install. Without another word it is\nserved until Ctrl-C.",
      [
        ["keelson sandbox", "serve your own sandbox"],
        ["keelson sandbox serve --help", "what serving takes"],
        ["keelson sandbox snapshot before.jsonl", "keep the state of now"],
        ["keelson sandbox restore before.jsonl", "go back to that state"],
      ],
    ),
  },
});
