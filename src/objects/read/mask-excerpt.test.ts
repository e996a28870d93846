import { expect, test } from "vitest";
import { looksSecret, maskExcerptLine } from "./mask-excerpt.ts";

test.each([
  ["apiVersion: v1", "apiVersion: v1"],
  ["kind: Secret", "kind: Secret"],
  ["  kind: hunter2", "  kind: ***"],
  ["metadata:", "metadata:"],
  ["  password: hunter2", "  password: ***"],
  ["  password: |", "  password: |"],
  ["    hunter2:", "    ***"],
  ["    user: hunter2", "    ***"],
  ["  hunter2", "  ***"],
  ["- hunter2", "***"],
  ["# hunter2", "***"],
  ['  "a": "hunter2",', '  "a": ***'],
  ["  a: {", "  a: {"],
  ["a:hunter2", "***"],
  ["---", "---"],
  ["", ""],
])("%j is shown as %j", (line, shown) => {
  expect(maskExcerptLine(line)).toBe(shown);
});

test.each([
  ["kind: Secret", true],
  ['"kind" : "SecretList"', true],
  ["stringData: {}", true],
  ["kind: secret", true],
  ["kind: Scret", true],
  ["kind: SealedSecret", true],
  ["no kind at all", true],
  ["kind: Deployment\nsecretName: a", false],
  ["kind: Service", false],
  ['{"kind":"List","items":[{"kind":"Pod"}]}', false],
])("%j may be a Secret: %s", (text, expected) => {
  expect(looksSecret(text)).toBe(expected);
});
