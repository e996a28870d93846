import type { TriggerMode } from "../../assembly/index.ts";

/** What the Tiltfile says about the run as a whole. What it does not say is not there. */
export interface TiltfileSettings {
  /** What components that say nothing else are triggered by. */
  readonly triggerMode?: TriggerMode;
  readonly mostParallelUpdates?: number;
  readonly applyTimeoutSeconds?: number;
  readonly serverSideApply?: "auto" | "false" | "true";
  /** References, or `*`, of images that may go unused without a warning. */
  readonly unusedImagesAllowed: readonly string[];
  readonly ci: CiSettings;
  /** Patterns of files whose change means nothing, each with the directory it is relative to. */
  readonly watchIgnore: readonly WatchIgnore[];
  /** Whether the values of Secrets are left readable in logs. */
  readonly showsSecrets: boolean;
  /** The versions of Tilt that the Tiltfile is written for. */
  readonly versionConstraint?: string;
  readonly defaultRegistry?: DefaultRegistry;
  /** Contexts beside local ones that the Tiltfile may be run against. */
  readonly allowedContexts: readonly string[];
  /** The components to run; undefined means all of them. */
  readonly enabledComponents?: readonly string[];
}

interface CiSettings {
  readonly gracePeriodMs?: number;
  readonly timeoutMs?: number;
  readonly readinessTimeoutMs?: number;
}

interface WatchIgnore {
  readonly pattern: string;
  readonly directory: string;
}

interface DefaultRegistry {
  readonly host: string;
  readonly hostFromCluster?: string;
  readonly singleName?: string;
}
