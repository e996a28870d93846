import type { ObjectNaming } from "./program-graph.ts";
import type { Resource } from "./resource.ts";

/** How long each operation on a resource may take, as durations such as `30s` or `5m`. */
export interface ResourceTimeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/** The last argument of every resource's constructor. */
export interface ResourceOptions {
  /** Resources that must be there first, although no property says so. */
  readonly dependsOn?: Resource | readonly Resource[];
  /** Refuses every plan that would delete or replace the resource. */
  readonly protect?: boolean;
  /** `retain` leaves the resource in place when the program no longer has it. */
  readonly deletionPolicy?: "delete" | "retain";
  /** Properties, as paths such as `spec.replicas`, whose changes are not applied. */
  readonly ignoreChanges?: readonly string[];
  /** Properties, as paths, of which a change makes a new resource. */
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** Names that the resource had before: a full name, or an id within the same scope as `#old`. */
  readonly aliases?: readonly string[];
  readonly timeouts?: ResourceTimeouts;
  /** Properties, as paths, whose values are never shown or stored in the open. */
  readonly secret?: readonly string[];
  /** Of ConfigMaps and Secrets: whether a change of the contents makes an object of another name. */
  readonly naming?: ObjectNaming;
}
