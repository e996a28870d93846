/**
 * Workloads become named components: objects and directives in, components and diagnostics out.
 *
 * This folder is pure. It does not know Tiltfiles, programs or clusters: sources turn what they
 * read into directives, and it does not know how images are built.
 */
export type {
  DiscoveryStrategy,
  Link,
  PodReadiness,
  PortForward,
  TriggerMode,
} from "./component-options.ts";
export type { Component, ComponentImage } from "./component.ts";
export { uncategorizedName } from "./component.ts";
export type {
  ComponentDirective,
  Directive,
  GivenObject,
  ImageObject,
  WorkloadId,
} from "./directive.ts";
export type { Assembled } from "./assemble.ts";
export { assemble } from "./assemble.ts";
export { parseIdentifier } from "./parse-identifier.ts";
export { injectImages } from "./inject-images.ts";
export { DeclaredImages } from "./declared-images.ts";
export { parseImageReference } from "./image-reference.ts";
export { fullIdentifierOf } from "./assembly-object.ts";
export { runsPods } from "./pod-templates.ts";
