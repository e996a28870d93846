import { expect, it } from "vitest";
import { likelyKinds } from "./likely-kinds.ts";

const map = (name: string, more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

const cases: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  ["nothing", "", []],
  ["one object of a kind, which is read on its own", map("a"), []],
  ["two of a kind", `${map("a")}---\n${map("b")}`, ["v1 ConfigMap in -"]],
  [
    "namespaces are told apart",
    [map("a", "  namespace: x\n"), map("b", "  namespace: x\n"), map("c", "  namespace: y\n")].join(
      "---\n",
    ),
    ["v1 ConfigMap in x"],
  ],
  [
    "the namespace of the object, not one further down",
    Array.from({ length: 2 }, () => map("a", "  namespace: x\nspec:\n  namespace: y\n")).join(
      "---\n",
    ),
    ["v1 ConfigMap in x"],
  ],
  [
    "line ends of Windows",
    `${map("a")}---\n${map("b")}`.replaceAll("\n", "\r\n"),
    ["v1 ConfigMap in -"],
  ],
  ["what is written otherwise is not seen", `{"apiVersion": "v1", "kind": "Pod"}`, []],
];

it.each(cases)("%s", (_what, text, expected) => {
  const shown = likelyKinds(text).map(
    ({ apiVersion, kind, namespace = "-" }) => `${apiVersion} ${kind} in ${namespace}`,
  );
  expect(shown).toEqual(expected);
});
