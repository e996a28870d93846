import type { InventoryPolicy } from "../../../inventory/index.ts";
import { parseDuration } from "../../duration.ts";
import { onlyWord, textFlag } from "../../flag.ts";

export const rgFileFlag = {
  rgFile: textFlag(
    "The file of the ResourceGroup, relative to the working directory; --rg for short",
    "file",
  ),
} as const;

export const policyFlag = {
  inventoryPolicy: {
    kind: "enum",
    values: ["strict", "adopt", "force-adopt"],
    default: "strict",
    brief:
      "What to do with objects that this inventory does not own: refuse, take free ones, take all",
  },
} as const;

export const validationFlag = {
  validation: {
    kind: "enum",
    values: ["fail", "skip"],
    default: "fail",
    brief: "With an invalid or unreadable object: write nothing, or apply the rest",
  },
} as const;

export interface ValidationFlags {
  readonly validation: "fail" | "skip";
}

export const statusPolicyFlag = {
  statusPolicy: {
    kind: "enum",
    values: ["all", "none"],
    default: "all",
    brief: "Whether the ResourceGroup says in its status how each object is",
  },
} as const;

export interface StatusPolicyFlags {
  readonly statusPolicy: "all" | "none";
}

export const forgetKindFlag = {
  forgetKind: {
    kind: "parsed",
    parse: parseKind,
    variadic: true,
    optional: true,
    brief:
      "Forget objects of this kind that is no longer served, as Widget.example.com; may be repeated",
    placeholder: "kind",
  },
} as const;

export interface ForgetFlags {
  readonly forgetKind?: readonly string[];
}

function parseKind(text: string): string {
  if (/^[A-Z][A-Za-z0-9]*(?:\.[a-z0-9.-]+)?$/.test(text)) return text;
  throw new SyntaxError(`${JSON.stringify(text)} is no kind with its group, as Widget.example.com`);
}

export const fieldManagerFlag = {
  fieldManager: {
    kind: "parsed",
    parse: parseManager,
    default: "keelson",
    brief: "The name under which fields are owned",
  },
} as const;

const longestManager = 128;

/** A server refuses other names, but only after the inventory has been written. */
function parseManager(text: string): string {
  if (/^\P{C}+$/u.test(text) && Buffer.byteLength(text) <= longestManager) return text;
  throw new SyntaxError(
    `${JSON.stringify(text)} is no name for a field manager; it has 1 to ${longestManager} printable characters`,
  );
}

export const runOutputFlag = {
  output: {
    kind: "enum",
    values: ["events", "json", "table"],
    default: "events",
    brief: "Lines as things happen, the same as JSON, or a table at the end",
  },
} as const;

/** What a run prints: lines, Keelson's events as JSON, those of kpt, or a table. */
export type RunOutput = "events" | "json" | "kpt-json" | "table";

const liveOutputs: Readonly<Record<string, RunOutput>> = {
  events: "events",
  json: "kpt-json",
  "events-json": "json",
  table: "table",
};
const liveOutputNames = Object.keys(liveOutputs);

/** The same under `live`, where `json` has meant kpt's events before Keelson came. */
export const liveOutputFlag = {
  output: {
    kind: "parsed",
    parse: parseLiveOutput,
    default: "events",
    brief:
      "Lines as things happen, JSON as kpt prints it, Keelson's own events as JSON, or a table at the end",
    placeholder: liveOutputNames.join("|"),
    proposeCompletions: (partial: string) =>
      liveOutputNames.filter((name) => name.startsWith(partial)),
  },
} as const;

function parseLiveOutput(text: string): RunOutput {
  const output = liveOutputs[text];
  if (output !== undefined) return output;
  throw new SyntaxError(
    `${JSON.stringify(text)} is no output; it is one of ${liveOutputNames.join(", ")}`,
  );
}

export interface PolicyFlags {
  readonly inventoryPolicy: InventoryPolicy;
}

export const propagationPolicies = ["Background", "Foreground", "Orphan"] as const;

export function durationFlag(brief: string): {
  readonly kind: "parsed";
  readonly parse: (text: string) => number;
  readonly default: string;
  readonly brief: string;
  readonly placeholder: string;
} {
  return { kind: "parsed", parse: parseDuration, default: "15m", brief, placeholder: "duration" };
}

/** What most live commands are about. */
export const packagePositional = onlyWord("A directory, or - for standard input", "input", ".");

/** Commands that change files work on a directory only. */
export const directoryPositional = onlyWord("The directory of the package", "directory", ".");
