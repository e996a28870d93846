/**
 * Images: how they are declared to be built, and what a Dockerfile says about their order.
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
