/**
 * Runs Tiltfiles: a Starlark program in, objects, directives, builds, local commands and settings
 * out.
 *
 * This folder only notes what the program says. It builds no images and touches no cluster:
 * assembly makes the components, and commands run only where the program asks for their output while it is read.
 */
export { loadTiltfile } from "./load-tiltfile.ts";
export { inspectTiltfile } from "./inspect-tiltfile.ts";
export { evaluateTiltfile } from "./evaluate-tiltfile.ts";
export { assembleTiltfile } from "./assemble-tiltfile.ts";
export type { LoadTiltfileOptions } from "./tiltfile-options.ts";
export type { TiltfileResult } from "./tiltfile-result.ts";
export type { TiltfileSettings } from "./tiltfile-settings.ts";
export type { LocalCommand, LocalResource, LocalProbe, ProbeAction } from "./local-resource.ts";
export type { CustomDeploy } from "./custom-deploy.ts";
