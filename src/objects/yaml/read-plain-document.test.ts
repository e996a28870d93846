import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeYaml } from "../write-yaml.ts";
import { buildValues } from "./build-values.ts";
import { parseEvents } from "./parse-events.ts";
import { readPlainDocument } from "./read-plain-document.ts";

/** What the parser makes of one document; undefined when something is wrong with it. */
function byParser(text: string): unknown {
  const parsed = parseEvents(text);
  if (parsed.kind === "problem") return undefined;
  const { values, problems } = buildValues(text, parsed.events);
  return problems.length > 0 || values.length !== 1 ? undefined : values[0];
}

const deployment = `---
# Made by a tool.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {}
  labels:
    app.kubernetes.io/name: "web"
    'on': 'it''s'
    "8080": "a \\"b\\"\\n"
spec:
  replicas: 3
  selector:

    matchLabels:
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.27
        args: []
        command:
          - --verbose
          - -1
          - sh
        script: |
          set -e

          echo "$1": done
        env:
        - name: MODE
          value: yes
        - name: note
          value: |-
            one line
      volumes:
      - |+
        kept

      - null
`;

describe("plain documents", () => {
  it("are read as the parser reads them", () => {
    expect(readPlainDocument(deployment)).toEqual(byParser(deployment));
    expect(readPlainDocument(deployment)).toMatchObject({
      metadata: { labels: { on: "it's", "8080": 'a "b"\n' } },
      spec: {
        replicas: 3,
        selector: { matchLabels: null },
        template: {
          spec: {
            containers: [
              {
                command: ["--verbose", -1, "sh"],
                script: 'set -e\n\necho "$1": done\n',
                env: [{ value: true }, { value: "one line" }],
              },
            ],
            volumes: ["kept\n\n", null],
          },
        },
      },
    });
  });

  it.each([
    ["flow", "a: {b: 1}"],
    ["a folded block", "a: >\n  b\n"],
    ["an anchor", "a: &x 1"],
    ["an alias", "a: *x"],
    ["a tag", "a: !!str 1"],
    ["a merge", "<<: {}"],
    ["a scalar of several lines", "a: b\n  c"],
    ["a comment behind a value", "a: b # c"],
    ["a key twice", "a: 1\na: 2"],
    ["a key that is no text", "yes: 1"],
    ["a tab", "a:\tb"],
    ["a line of Windows", "a: b\r\n"],
    ["wrong indentation", "a:\n    b: 1\n  c: 2"],
    ["infinity", "a: .inf"],
    ["a colon in a value", "a: b: c"],
    ["a list of lists", "a:\n- - b"],
    ["no mapping", "- a"],
    ["nothing", "# nothing\n"],
    ["a dangerous key", "__proto__: 1"],
    ["an unfinished block", "a: |\n  b"],
  ])("leave %s to the parser", (_, text) => {
    expect(readPlainDocument(text)).toBeUndefined();
  });

  const scalar = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."ab01 -:#'\"\\n|>~.{}[]\n".split("")) }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie("any"), { maxKeys: 4 }),
    ),
  })).any;

  it("are read as the parser reads them, whatever was written", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(value, (data) => {
        const object = { apiVersion: "v1", kind: "X", metadata: { name: "a" }, data };
        const text = writeYaml([object]);
        const read = readPlainDocument(text);
        if (read !== undefined) expect(read).toEqual(byParser(text));
      }),
      { numRuns: 2000 },
    );
  });

  const signs = " \n\t{}[]\"'|>&*!#-,%@\\0a:?~=<^.e+_".split("");
  const pieces = ["  ", "\n  ", "\n- ", ": ", "''", "\\n", '\\"', "|-", "|+", "- - ", "yes", "1e3"];
  const lines = [
    " # c",
    "\n\n",
    "\n    ",
    "\u00e9",
    "\u2028",
    "key: value\n",
    "\n# c\n",
    '"a": b\n',
  ];
  const edit = fc.record({
    at: fc.nat(deployment.length),
    remove: fc.nat(4),
    insert: fc.constantFrom(...signs, ...pieces, ...lines, "  - a\n", "[]"),
  });

  it("are read as the parser reads them, whatever was damaged", { timeout: 60_000 }, () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce(
          (damaged, { at, remove, insert }) =>
            damaged.slice(0, at) + insert + damaged.slice(at + remove),
          deployment,
        );
        const plain = readPlainDocument(text);
        if (plain === undefined) return;
        read++;
        expect(plain).toEqual(byParser(text));
      }),
      { numRuns: 5000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
