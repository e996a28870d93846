import type { DiagnosticCode } from "./codes/index.ts";
import type { SourceRange } from "./source-range.ts";

export type DiagnosticSeverity = "error" | "warning";

/** An object that a diagnostic is about; a part of its identity that cannot be read is empty. */
export type NamedObject = Readonly<Record<"group" | "kind" | "namespace" | "name", string>>;

/** One thing that stands in the way, or that the user should know: the same for every view. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  /** What was being done, to what, and what stands in the way. */
  readonly summary: string;
  readonly detail?: string | undefined;
  /** Something to do, best a command. */
  readonly hint?: string | undefined;
  /** The object or resource concerned, as the user would name it. */
  readonly subject?: string | undefined;
  /** The same for programs: the parts of its identity. */
  readonly object?: NamedObject | undefined;
  /** Where it concerns several objects together: all of them. */
  readonly objects?: readonly NamedObject[] | undefined;
  readonly source?: SourceRange | undefined;
  readonly cause?: unknown;
}
