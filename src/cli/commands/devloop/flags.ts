import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags } from "../project/flags.ts";

export interface DevLoopFlags extends ClusterFlags, OutputFlags, ProjectFlags {
  readonly allowProcesses: boolean;
}

export const devLoopFlags = {
  ...projectFlags,
  allowProcesses: {
    kind: "boolean",
    default: false,
    brief: "Let sandbox.keelson.dev/run start processes, if the sandbox is served by this command",
  },
  ...clusterFlags,
  ...outputFlag,
} as const;

export const devLoopPositional = {
  kind: "array",
  parameter: {
    brief:
      "A directory, a Tiltfile, a program, or - ; then the components to run, all unless given",
    placeholder: "source|component",
    parse: String,
  },
} as const;
