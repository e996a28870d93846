import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { readObjectsFromText } from "./read-objects.ts";

const template = `apiVersion: v1
kind: Secret
metadata:
  name: a
  labels: {x: z}
stringData:
  password: "hunter2"
  other: hunter2 # hunter2
  block: |
    hunter2
    key: hunter2
  list: [hunter2, {a: hunter2}]
---
{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"},
"data":{"a":"hunter2",
  "b":"hunter2"}}
---
apiVersion: v1
kind: Deployment
metadata: &meta
  name: c
  annotations: {<<: {q: "1"}}
spec: {copy: *meta}
`;

const piece = fc.constantFrom(..." \n\t{}[]\"'|>&*!#-,%@\\0a".split(""), "\n---\n", "  ", "\n  ");
const edit = fc.record({ at: fc.nat(template.length), remove: fc.nat(3), insert: piece });

function mutate(edits: readonly { at: number; remove: number; insert: string }[]): string {
  return edits.reduce((text, { at, remove, insert }) => {
    const changed = text.slice(0, at) + insert + text.slice(at + remove);
    // Whether it is a Secret must still be told.
    return countKinds(changed) < countKinds(template) ? text : changed;
  }, template);
}

function countKinds(text: string): number {
  return text.match(/kind["']?: ?["']?Secret\b/g)?.length ?? 0;
}

test(
  "no damage to a text makes the reader throw or a message show a secret",
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(
        fc.array(edit, { maxLength: 4 }),
        fc.constantFrom("a.yaml", "a.json"),
        (edits, name) => {
          const { objects, diagnostics } = readObjectsFromText(name, mutate(edits));
          expect(diagnostics.length > 0 && objects.length > 0).toBe(false);
          expect(renderDiagnostics(diagnostics)).not.toContain("hunter2");
          for (const { sourceOf } of objects) {
            expect(sourceOf(["stringData", "list", 1, "a"]).start.line).toBeGreaterThan(0);
            expect(sourceOf().excerpt?.lines.join("\n")).not.toContain("hunter2");
          }
        },
      ),
      { numRuns: 1000 },
    );
  },
);

test("no text at all makes the reader throw", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 60 }),
      (pieces) => {
        const { objects, diagnostics } = readObjectsFromText("a.yaml", pieces.join(""));
        expect(diagnostics.length > 0 && objects.length > 0).toBe(false);
      },
    ),
    { numRuns: 3000 },
  );
});
