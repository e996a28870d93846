/** What the reference page says of a code. */
export interface DiagnosticCodeDoc {
  /** When it is reported, in one sentence. */
  readonly meaning: string;
  /** What to do about it, in one sentence. */
  readonly remedy: string;
}
