import { resolve } from "node:path";
import { findProgram } from "./find-program.ts";
import { hydrateFailure, type Hydrated, type HydrateTools } from "./hydrated.ts";
import { findKustomization, kustomizeInputs } from "./kustomize-inputs.ts";
import { runTool } from "./run-tool.ts";

export interface KustomizeBuildOptions {
  /** The directory of the kustomization. */
  readonly directory: string;
  readonly flags?: readonly string[] | undefined;
  /** The program to run instead of the one that is found. */
  readonly program?: string | undefined;
}

/** Builds a kustomization with `kustomize build`, or with kubectl where there is no kustomize. */
export function kustomizeBuild(options: KustomizeBuildOptions, tools: HydrateTools): Hydrated {
  const directory = resolve(tools.directory, options.directory);
  if (tools.files.kindOf(directory) !== "directory") {
    return hydrateFailure("hydrate.input", `the kustomization ${directory} is no directory`);
  }
  if (findKustomization(directory, tools.files) === undefined) {
    return hydrateFailure("hydrate.input", `${directory} has no kustomization.yaml`);
  }
  const command = kustomizeCommand(options, tools);
  if (command === undefined) return kustomizeMissing(options.program);
  const ran = runTool([...command, ...(options.flags ?? []), directory], tools, () =>
    kustomizeMissing(options.program),
  );
  if (ran.kind === "failed") return ran.failed;
  return { yaml: ran.yaml, inputs: kustomizeInputs(directory, tools.files), diagnostics: [] };
}

function kustomizeCommand(
  { program = "" }: KustomizeBuildOptions,
  { environment, files, programs, directory }: HydrateTools,
): readonly string[] | undefined {
  if (program !== "") {
    const path = program.includes("/") ? resolve(directory, program) : program;
    const named = findProgram(path, environment, files);
    return named === undefined ? undefined : [named, "build"];
  }
  const kustomize = programs?.kustomize ?? findProgram("kustomize", environment, files);
  if (kustomize !== undefined) return [kustomize, "build"];
  const kubectl = programs?.kubectl ?? findProgram("kubectl", environment, files);
  return kubectl === undefined ? undefined : [kubectl, "kustomize"];
}

function kustomizeMissing(program = ""): Hydrated {
  if (program !== "") {
    return hydrateFailure("hydrate.binary-missing", `the program ${program} was not found`, {
      hint: "Correct kustomize_bin, or leave it out to use kustomize or kubectl from the PATH.",
    });
  }
  return hydrateFailure("hydrate.binary-missing", "neither kustomize nor kubectl is installed", {
    hint: "Install kustomize or kubectl, or put one on the PATH.",
  });
}
