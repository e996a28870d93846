import { describe, expect, it } from "vitest";
import {
  type Diagnostic,
  diagnosticToJson,
  excerptOf,
  nearest,
  renderDiagnostic,
  renderDiagnostics,
} from "./index.ts";

const text = "kind: Pod\nmetadata:\n\tname: web\nspec: {}\n";

const diagnostic: Diagnostic = {
  code: "cli.usage",
  severity: "error",
  summary: "reading pod.yaml: a tab cannot indent",
  detail: "YAML allows spaces only.",
  hint: "replace the tab\nby spaces",
  source: {
    file: "pod.yaml",
    start: { line: 3, column: 1 },
    end: { line: 3, column: 2 },
    excerpt: excerptOf(text, 3),
  },
};

describe("renderDiagnostic", () => {
  it("shows code, place, frame, detail and hint", () => {
    expect(renderDiagnostic(diagnostic)).toBe(
      [
        "error[cli.usage]: reading pod.yaml: a tab cannot indent",
        "  at pod.yaml:3:1",
        "    1 | kind: Pod",
        "    2 | metadata:",
        "  > 3 |   name: web",
        "      | ^",
        "    4 | spec: {}",
        "    5 |",
        "  YAML allows spaces only.",
        "  hint: replace the tab",
        "        by spaces",
      ].join("\n"),
    );
  });

  it("puts errors last and cuts a flood", () => {
    const many = Array.from({ length: 60 }, (): Diagnostic => ({
      code: "cli.usage",
      severity: "error",
      summary: "no",
    }));
    const shown = renderDiagnostics([
      ...many,
      { code: "cli.usage", severity: "warning", summary: "hm" },
    ]).split("\n");
    expect(shown[0]).toBe("warning[cli.usage]: hm");
    expect(shown.at(-1)).toBe("… and 10 more (--output json lists all)");
    expect(shown).toHaveLength(52);
  });
});

describe("diagnosticToJson", () => {
  it("keeps everything a program needs", () => {
    expect(diagnosticToJson(diagnostic)).toEqual({
      code: "cli.usage",
      severity: "error",
      summary: "reading pod.yaml: a tab cannot indent",
      detail: "YAML allows spaces only.",
      hint: "replace the tab\nby spaces",
      source: { file: "pod.yaml", line: 3, column: 1, endLine: 3, endColumn: 2 },
    });
  });
});

describe("nearest", () => {
  const cases: readonly (readonly [word: string, expected: string | undefined])[] = [
    ["chekc", "check"],
    ["aply", "apply"],
    ["APPLY", "apply"],
    ["zzz", undefined],
  ];
  it.each(cases)("%s → %s", (word, expected) => {
    expect(nearest(word, ["check", "apply", "destroy"])).toBe(expected);
  });
});
