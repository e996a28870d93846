/**
 * Images: how they are declared to be built, what they are called before they are built, and how
 * docker, podman or buildah build them.
 *
 * This folder does not know Tiltfiles: sources describe builds in its terms.
 */
export type {
  BuildDefinition,
  CustomBuild,
  DockerBuild,
  LiveUpdateStep,
} from "./build-definition.ts";
export type { Dockerfile } from "./build-definition.ts";
export { dockerfileImages } from "./dockerfile-images.ts";
export { buildCycle, type OrderedBuild } from "./build-order.ts";
export type { PlannedImage } from "./planned-image.ts";
export { planImages } from "./planned-image.ts";
export { findBuilder } from "./find-builder.ts";
export { BuiltImages } from "./built-images.ts";
export { buildImages, needsNoBuilder } from "./build-images.ts";
export { runCommand } from "./run-command.ts";
export { ignorePatterns } from "./ignore-patterns.ts";
export { overrideEntrypoints } from "./override-entrypoints.ts";
