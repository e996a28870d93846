/** When a change is acted on: by itself, or when the user asks for it. */
export type TriggerMode = "auto" | "manual";

/** What of its pods decides that a component is ready. */
export type PodReadiness = "ignore" | "wait" | "succeeded";

/** How the pods of a component are found. */
export type DiscoveryStrategy = "default" | "selectors-only";

export interface PortForward {
  readonly localPort: number;
  /** The container's port; the same as the local one when it is not given. */
  readonly containerPort?: number;
  readonly host?: string;
  readonly name?: string;
  readonly linkPath?: string;
}

export interface Link {
  readonly url: string;
  readonly name?: string;
}
