import type { Diagnostic } from "../../diagnostics/index.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KnownOutputs, ProgramGraph } from "../../resources/index.ts";

/** What a worker is told first. */
export interface WorkerSettings {
  readonly main: string;
  readonly project: string;
  readonly projectFolder: string;
  readonly env: string;
  readonly namespace?: string | undefined;
  /** What the program reads by name, and where those of the environment are, or would be. */
  readonly values: JsonObject;
  readonly environmentFile: string | undefined;
  /** What the values that the program exports are kept in. */
  readonly outputsName: string;
  readonly projectFiles: readonly string[];
  readonly workingFolder: string;
  readonly stage: KnownOutputs;
  /** Where rewritten modules are kept for the next time, and a text that changes with the rewriting. */
  readonly cache?: { readonly folder: string; readonly version: string } | undefined;
}

export type WorkerRequest = {
  readonly kind: "resolve";
  readonly request: number;
  readonly deferred: number;
  readonly outputs: KnownOutputs;
};

export type WorkerReply =
  | {
      readonly kind: "evaluated";
      readonly graph: ProgramGraph;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "resolved"; readonly request: number; readonly value: JsonValue }
  | {
      readonly kind: "unresolved";
      readonly request: number;
      readonly diagnostics: readonly Diagnostic[];
    };
