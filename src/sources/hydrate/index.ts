/**
 * Runs helm and kustomize to turn charts and kustomizations into YAML.
 *
 * This folder knows no Tiltfiles and no clusters: directories and options in, text and diagnostics
 * out. How a process is started and a file is read comes from outside.
 */
export type { FileAccess } from "./file-access.ts";
export { localFiles } from "./local-files.ts";
export type { ProcessOutcome, ProcessRequest, RunProcess } from "./run-process.ts";
export { runProcess } from "./run-process.ts";
export { runProcessBeside } from "./run-process-beside.ts";
export type { Hydrated, HydrateTools } from "./hydrated.ts";
export { helmTemplate } from "./helm-template.ts";
export type { HelmTemplateOptions } from "./helm-template.ts";
export type { HelmValues } from "./helm-values.ts";
export { isRemoteChart } from "./locate-chart.ts";
export { kustomizeBuild } from "./kustomize-build.ts";
