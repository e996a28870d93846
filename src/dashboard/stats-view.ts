/** What the page is told of figures. Types only: the page is built from them too. */
export interface StatsSample {
  readonly points: readonly StatsPoint[];
  /** What cannot be shown, in words for the user. */
  readonly notices: readonly string[];
}

export interface StatsPoint {
  /** The plot that it is drawn in: `cpu`, `memory`, or what a provider calls it. */
  readonly plot: string;
  readonly unit: string;
  /** The line that it belongs to: a pod, or a resource. */
  readonly line: string;
  readonly timeMs: number;
  readonly value: number;
}
