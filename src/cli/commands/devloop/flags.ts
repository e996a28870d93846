import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags } from "../project/flags.ts";
import { switchFlag, word } from "../../flag.ts";

export interface DevLoopFlags extends ClusterFlags, OutputFlags, ProjectFlags {
  readonly allowProcesses: boolean;
}

export const devLoopFlags = {
  ...projectFlags,
  allowProcesses: switchFlag(
    "Let sandbox.keelson.dev/run start processes, if the sandbox is served by this command",
  ),
  ...clusterFlags,
  ...outputFlag,
} as const;

export const devLoopPositional = {
  kind: "array",
  parameter: word(
    "A directory, a Tiltfile, a program, or - ; then the components to run, all unless given",
    "source|component",
  ),
} as const;
