import type { SourceRange } from "../diagnostics/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";
import type {
  DiscoveryStrategy,
  Link,
  PodReadiness,
  PortForward,
  TriggerMode,
} from "./component-options.ts";
import type { GivenObject } from "./directive.ts";

/** The component of what no single workload uses; it is applied before all others. */
export const uncategorizedName = "uncategorized";

/** One row on the screen: a workload with what goes with it, objects alone, or a local command. */
export interface Component {
  readonly name: string;
  readonly kind: "workload" | "objects" | "local" | "uncategorized";
  readonly workload?: GivenObject;
  /** All of its objects in the order given, the workload among them. */
  readonly objects: readonly GivenObject[];
  readonly images: readonly ComponentImage[];
  /** Names of components that must be ready first. */
  readonly dependsOn: readonly string[];
  readonly portForwards: readonly PortForward[];
  readonly extraPodSelectors: readonly Readonly<Record<string, string>>[];
  readonly links: readonly Link[];
  readonly labels: readonly string[];
  readonly triggerMode?: TriggerMode;
  readonly autoInit: boolean;
  readonly podReadiness: PodReadiness;
  readonly discoveryStrategy: DiscoveryStrategy;
  readonly source?: SourceRange;
}

/** A use of an image by an object of a component. */
export interface ComponentImage {
  readonly reference: string;
  /** The reference of the declared build that makes it, when there is one. */
  readonly build?: string;
  readonly object: ObjectIdentity;
  /** Where it stands: the path that the built reference is written to. */
  readonly path: readonly (string | number)[];
  /** The fields of an image that is spelled as an object at `path`. */
  readonly fields?: { readonly repoField: string; readonly tagField: string };
}
