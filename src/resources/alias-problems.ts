import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import type { ResourceRecord } from "./resource-record.ts";

/** A former name leads to one thing that exists, which only one resource can be now. */
export function aliasProblems(records: readonly ResourceRecord[]): readonly Diagnostic[] {
  const claims = new Map<string, ResourceRecord>();
  return records.flatMap((record) =>
    [...new Set(record.aliases)].flatMap((alias): readonly Diagnostic[] => {
      const first = claims.get(alias);
      if (first !== undefined) return [claimedTwice(alias, first, record)];
      claims.set(alias, record);
      return [];
    }),
  );
}

function claimedTwice(alias: string, first: ResourceRecord, second: ResourceRecord): Diagnostic {
  return {
    code: "program.duplicate-alias",
    severity: "error",
    summary: `Two resources say that they were called ${alias}: ${first.label} and ${second.label}`,
    detail: `${first.label} says so at ${formatPosition(first.source)}.`,
    hint: "Leave the alias to the one that goes on with what exists",
    subject: second.name,
    source: second.source,
  };
}
