import type { DiagnosticCode } from "../../diagnostics/index.ts";

/** Something wrong at a place of one text, before it is known which file the text is from. */
export interface TextProblem {
  readonly code: DiagnosticCode;
  readonly offset: number;
  readonly end?: number | undefined;
  /** Says what is wrong, without anything out of the text: it may be a secret. */
  readonly message: string;
  /** The piece of the text that is wrong, to be shown only where it cannot be a secret. */
  readonly quote?: string | undefined;
  readonly hint?: string | undefined;
}
