import type { Diagnostic } from "../diagnostics/index.ts";
import { kebabCase } from "./k8s/object-name.ts";
import type { ResourceRecord } from "./resource-record.ts";

const mostShown = 5;

/** Says once that names rest on the order of allocation, with ids that would not. */
export function automaticNumbersNote(records: readonly ResourceRecord[]): readonly Diagnostic[] {
  const numbered = records.filter(({ automaticId }) => automaticId !== undefined);
  const first = numbered[0];
  if (first === undefined) return [];
  const lines = numbered.slice(0, mostShown).map((record) => {
    const { file, start } = record.source;
    return `${record.name}: new …(${JSON.stringify(suggestedId(record))}, …) at ${file}:${start.line}:${start.column}`;
  });
  if (numbered.length > mostShown) lines.push(`and ${numbered.length - mostShown} more`);
  return [
    {
      code: "program.automatic-number",
      severity: "warning",
      summary: `${numbered.length === 1 ? "One name rests" : `${numbered.length} names rest`} on the order of allocation: allocating another before would change it`,
      detail: lines.join("\n"),
      hint: "Give these resources ids, as the first argument",
      source: first.source,
    },
  ];
}

/** A word of the resource's own properties that tells it from its siblings, else kind and number. */
function suggestedId(record: ResourceRecord): string {
  const metadata = record.props["metadata"];
  const candidates = [
    typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "name") : undefined,
    record.props["name"],
  ];
  const named = candidates.find((each) => typeof each === "string" && each !== "");
  if (typeof named === "string") return kebabCase(named);
  const className = record.type.slice(record.type.lastIndexOf("/") + 1);
  return `${kebabCase(className)}-${record.automaticId ?? 1}`;
}
