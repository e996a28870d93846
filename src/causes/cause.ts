/** Why something is not as it should be. */
export interface Cause {
  /** A word for programs: the reason that Kubernetes gives, where it gives one. */
  readonly reason: string;
  /** One short sentence that begins with the cause. */
  readonly summary: string;
  /** What shows it: the error line of a log, or what the cluster says of it. */
  readonly evidence?: string | undefined;
  /** RFC 3339. */
  readonly since?: string | undefined;
  /** A command to type. */
  readonly action?: string | undefined;
  /** Where it was found: `pod web-7d9f, container main`. */
  readonly about?: string | undefined;
  /** Waiting longer does not help. */
  readonly isFinal: boolean;
}
