/** One node waits for another. */
export interface Edge {
  /** The node that waits. */
  readonly from: string;
  /** The node that it waits for. */
  readonly to: string;
  /** Why, in words for the user. */
  readonly reason: string;
  /** A wish rather than a need: it is given up before it makes a cycle. */
  readonly soft?: boolean;
}
