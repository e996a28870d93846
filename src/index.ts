/** What programs import from `keelson`. */
export type { Diagnostic, DiagnosticCode } from "./diagnostics/index.ts";
export { DiagnosticError } from "./diagnostics/index.ts";
export { k8s, local, random, Resource } from "./resources/index.ts";
export type { ResourceOptions, ResourceTimeouts } from "./resources/index.ts";
export type { Output } from "./resources/index.ts";
export { each, output, provisioned, when } from "./resources/index.ts";
export { config, env } from "./sources/program/config.ts";
export type { Config, ConfigSchema, Environment } from "./sources/program/config.ts";
export { helm, kustomize, nameWorkloads, workload, yaml } from "./sources/program/inputs.ts";
export type { WorkloadOptions } from "./sources/program/inputs.ts";
