import type { KubernetesObject } from "../objects/index.ts";

/** What may be known beside the object itself. */
export interface CauseFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The objects that an object owns. */
  readonly childrenOf?: ((owner: KubernetesObject) => readonly KubernetesObject[]) | undefined;
  /** The events about an object. */
  readonly eventsOf?: ((object: KubernetesObject) => readonly KubernetesObject[]) | undefined;
  /** The last lines of the run of a container that ended, or of the one that is about to. */
  readonly logOf?:
    | ((pod: KubernetesObject, container: string) => readonly string[] | undefined)
    | undefined;
}
