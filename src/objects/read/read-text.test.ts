import { expect, test } from "vitest";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { formatIdentity, identityOf } from "../identity.ts";
import { readObjectsFromText } from "./read-objects.ts";

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

function read(text: string, name = "in.yaml"): string {
  const { objects, diagnostics } = readObjectsFromText(name, text);
  expect(diagnostics.length > 0 && objects.length > 0).toBe(false);
  if (diagnostics.length > 0) return renderDiagnostics(diagnostics);
  return objects.map(({ object }) => formatIdentity(identityOf(object))).join(", ");
}

function codes(text: string, name = "in.yaml"): readonly string[] {
  return readObjectsFromText(name, text).diagnostics.map(
    ({ code, source }) => `${code} ${source?.start.line ?? 0}:${source?.start.column ?? 0}`,
  );
}

test.each([
  ["several documents", `${configMap("a")}---\n${configMap("b")}`, "ConfigMap a, ConfigMap b"],
  ["a marker first and a comment after it", `--- # one\n${configMap("a")}---\n`, "ConfigMap a"],
  ["nothing", "", ""],
  ["nothing but comments", "# a\n---\n# b\n---\n\n", ""],
  ["directives", `%YAML 1.1\n---\n${configMap("a")}`, "ConfigMap a"],
  ["document ends", `${configMap("a")}...\n${configMap("b")}...\n`, "ConfigMap a, ConfigMap b"],
  [
    "Windows line ends",
    configMap("a").replaceAll("\n", "\r\n") + "---\r\n" + configMap("b"),
    "ConfigMap a, ConfigMap b",
  ],
  ["a byte order mark", `\ufeff${configMap("a")}`, "ConfigMap a"],
  [
    "values of JSON one after another",
    '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}\n\t{"apiVersion":"v1","kind":"B",\n\t"metadata":{"name":"b"}}',
    "A a, B b",
  ],
  [
    "JSON between markers",
    '---\n{"apiVersion":"v1",\n\t"kind":"A","metadata":{"name":"a"}}\n---\n{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}\n',
    "A a, B b",
  ],
  ["a flow mapping that is no JSON", "{apiVersion: v1, kind: A, metadata: {name: a}}", "A a"],
  ["a name made by the server", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}", "Pod "],
  [
    "a List in a List",
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- kind: List\n  items:\n  - {apiVersion: v1, kind: B, metadata: {name: b}}\n`,
    "A a, B b",
  ],
  ["an empty List", "apiVersion: v1\nkind: List\nitems: []", ""],
  [
    "a typed list",
    "apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n",
    "ConfigMap a",
  ],
  [
    "a kind that only ends in List",
    "apiVersion: a/v1\nkind: PriceList\nmetadata: {name: a}",
    "PriceList.a a",
  ],
  [
    "a marker inside of a block scalar",
    "a: |\n  x\n---\n" + configMap("b"),
    expect.stringContaining("objects.field-missing") as unknown as string,
  ],
])("reads %s", (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("every error of every document is reported, with its place, and nothing is passed on", () => {
  const text = `${configMap("fine")}---
a: [1
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: twice
  name: again
data:
  x: 1
  x: 2
---
- a
---
just text
---
apiVersion: v1
kind: ConfigMap
metadata:
\tname: tab
---
kind: ConfigMap
metadata:
  name: 12
`;
  expect(codes(text)).toEqual([
    "objects.yaml-syntax 7:1",
    "objects.duplicate-key 12:3",
    "objects.duplicate-key 15:3",
    "objects.not-an-object 17:1",
    "objects.not-an-object 19:1",
    "objects.yaml-tab 24:1",
    "objects.field-missing 26:1",
    "objects.field-type 28:3",
  ]);
});

test.each([
  ["no metadata", "apiVersion: v1\nkind: A\n", ["objects.field-missing 1:1"]],
  ["no name", "apiVersion: v1\nkind: A\nmetadata:\n  labels: {}\n", ["objects.field-missing 3:1"]],
  ["a null name", "apiVersion: v1\nkind: A\nmetadata:\n  name:\n", ["objects.field-missing 4:3"]],
  ["an empty kind", "apiVersion: v1\nkind: ''\nmetadata: {name: a}", ["objects.field-type 2:1"]],
  [
    "a kind that reads as a boolean",
    "apiVersion: v1\nkind: Yes\nmetadata: {name: a}",
    ["objects.field-type 2:1"],
  ],
  ["metadata that is text", "apiVersion: v1\nkind: A\nmetadata: x", ["objects.field-type 3:1"]],
  [
    "a namespace that is a number",
    "apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: 1}",
    ["objects.field-type 3:21"],
  ],
  [
    "a label that is a boolean",
    "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  labels:\n    x: on",
    ["objects.field-type 6:5"],
  ],
  [
    "annotations that are a list",
    "apiVersion: v1\nkind: A\nmetadata: {name: a, annotations: [x]}",
    ["objects.field-type 3:21"],
  ],
  ["an item that is text", "kind: List\nitems:\n- x\n", ["objects.not-an-object 3:3"]],
  [
    "an item without a name",
    "kind: List\nitems:\n- apiVersion: v1\n  kind: A\n",
    ["objects.field-missing 3:3"],
  ],
  ["a null key", "? ~\n: 1", ["objects.invalid-key 1:3"]],
  ["a template", "a: {{ .Values.x }}", ["objects.invalid-key 1:5"]],
  ["infinity", "a: .inf", ["objects.invalid-value 1:4"]],
  ["a tag that does not fit", "a: !!int x", ["objects.invalid-value 1:4"]],
  ["an unknown alias", "a: *x", ["objects.invalid-alias 1:4"]],
  ["an alias to itself", "a: &x [*x]", ["objects.invalid-alias 1:8"]],
  ["a merge of text", "a: {<<: x}", ["objects.invalid-alias 1:9"]],
])("%s", (_what, text, expected) => {
  expect(codes(text)).toEqual(expected);
});

test("two objects that were joined without a separator: the hint says so, once", () => {
  const text = `${configMap("a")}${configMap("b")}`;
  expect(read(text).match(/hint: .*/g)).toEqual([
    "hint: If two objects follow each other here, write a line `---` between them.",
  ]);
});

test.each([
  ['{"a":1,"a":2}', ["objects.duplicate-key 1:9"]],
  ['{"a":1', ["objects.json-syntax 1:7"]],
  ['{"a":1,}', ["objects.json-syntax 1:8"]],
  ['{"a" 1}', ["objects.json-syntax 1:6"]],
  ['{"a":01}', ["objects.json-syntax 1:6"]],
  ['{"a":"\t"}', ["objects.json-syntax 1:6"]],
  ["[1}", ["objects.json-syntax 1:3"]],
  ["yes", ["objects.json-syntax 1:1"]],
  ["[1]", ["objects.not-an-object 1:1"]],
])("JSON %j", (text, expected) => {
  expect(codes(text, "in.json")).toEqual(expected);
});

test.each([
  ["name: 231864817236487163 # hash of contents", '`name: "231864817236487163"`'],
  ["name: 0777", '`name: "0777"`'],
  ["name: 1.10", '`name: "1.10"`'],
  ["namespace: yes", '`namespace: "yes"`'],
])("%s is proposed in quotes, digit by digit", (line, expected) => {
  const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  ${line}\n`;
  expect(read(text)).toContain(`hint: Put the value in quotes: ${expected}.`);
});

test("a frame shows the lines around the place, and only those of the same document", () => {
  const text = `${configMap("a")}---\napiVersion: v1\nkind: B\nmetadata:\n  name: 5\n---\nkind: C\n`;
  expect(read(text))
    .toBe(`error[objects.field-type]: B: metadata.name must be a string, not a number
  at in.yaml:9:3
    7 | kind: B
    8 | metadata:
  > 9 |   name: 5
      |   ^^^^^^^
  hint: Put the value in quotes: \`name: "5"\`.
error[objects.field-missing]: C has no apiVersion
  at in.yaml:11:1
    10 | ---
  > 11 | kind: C
       | ^^^^^^^
error[objects.field-missing]: C has no metadata.name
  at in.yaml:11:1
    10 | ---
  > 11 | kind: C
       | ^^^^^^^`);
});

test.each([
  [
    "a value beside the mistake",
    "kind: Secret\nstringData:\n  password: hunter2\n  password: hunter2\n",
  ],
  ["a broken value", "kind: Secret\nstringData:\n  password: *hunter2\n"],
  ["a tag of a value", "kind: Secret\nstringData:\n  password: !hunter2! x\n  b: [\n"],
  ["a block scalar", "kind: Secret\nstringData:\n  a: |\n    hunter2\n  a: x\n"],
  ["JSON on one line", '{"kind":"Secret","data":{"a":"hunter2","a":"hunter2"}}'],
  ["JSON on many lines", '{\n"kind":"Secret",\n"data":{\n"a":"hunter2",\n"a":"hunter2"}}'],
  ["a value under a usual key", "kind: Secret\nstringData:\n  name: hunter2\n  name: hunter2\n"],
  [
    "a key in a block scalar",
    "kind: Secret\nstringData:\n  a: |\n    hunter2:\n      hunter2: x\n  a: x\n",
  ],
  ["a comment", "kind: Secret\ndata:\n  # hunter2\n  a: 1\n  a: 1\n"],
  ["a Secret in a List", "kind: List\nitems:\n- kind: Secret\n  data:\n    a: hunter2\n"],
  ["a document without kind", "stringData:\n  a: hunter2\nmetadata: {}\n"],
  ["a kind that hides", "metadata: {name: 1}\nkind: >-\n  Secret\ndata: {x: hunter2}\n"],
  [
    "a key that swallowed the value",
    "kind: Secret\nstringData:\n  password hunter2: 1\n  password hunter2: 2\n",
  ],
])("no frame and no message shows a value of a Secret: %s", (_what, text) => {
  const shown = read(text);
  expect(shown).toContain("error[");
  expect(shown).not.toContain("hunter2");
});

test("a message quotes what is wrong where it is no Secret", () => {
  expect(read("kind: Pod\na: *x")).toContain("no anchor that was defined before: x\n");
  expect(read("kind: Pod\na: 1\na: 2")).toContain("a key occurs twice: a\n");
  expect(read("kind: Pod\na: !x!y z")).toContain("undeclared tag handle: !x!\n");
});

test("deep nesting is an error, not a crash", () => {
  for (const text of ["[".repeat(100_000), "a: ".concat("{a: ".repeat(50_000))]) {
    expect(codes(text)[0]).toContain("objects.nested-too-deep");
  }
  const json = `{"a":${"[".repeat(100_000)}`;
  expect(codes(json, "in.json")[0]).toContain("objects.nested-too-deep");
});

test("a bomb of aliases is an error", () => {
  const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 10; level++) {
    bomb.push(
      `a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`,
    );
  }
  expect(codes(bomb.join("\n"))).toEqual(["objects.too-many-aliases 6:20"]);
});

test("a document of too many values is refused before it is parsed", () => {
  expect(codes(`a: [${"1,".repeat(2_100_000)}`)).toEqual(["objects.input-too-large 1:1"]);
  // Aliases that are few enough in each document, but not in all.
  const bomb = `x: &a [${"1,".repeat(1_000)}]\ny: [${"*a,".repeat(300)}]\n---\n`;
  expect(codes(bomb.repeat(20)).filter((code) => code.includes("alias"))).toHaveLength(1);
});

test("a text that is nothing but errors stops being read", () => {
  expect(codes("---\n@\n".repeat(20_000))).toHaveLength(10_000);
});

test("the source of any field can be asked for", () => {
  const text = `apiVersion: v1
kind: Pod
metadata: &meta
  name: a
  labels: {x: w, "app": z}
spec:
  containers:
  - name: web
    image: "nginx"
  - name: log
    args: [a, 'b']
other: {<<: *meta}
`;
  const [pod] = readObjectsFromText("in.yaml", `# first\n---\n${text}`).objects;
  const places = [
    [],
    ["kind"],
    ["metadata", "labels", "app"],
    ["spec"],
    ["spec", "containers", 0, "image"],
    ["spec", "containers", 1],
    ["spec", "containers", 1, "args", 1],
    ["spec", "containers", 7, "args"],
    ["spec", "missing", "deep"],
    ["other", "name"],
  ].map((path) => {
    const source = pod?.sourceOf(path);
    return `${path.join(".")} ${source?.start.line ?? 0}:${source?.start.column ?? 0}-${source?.end?.column ?? 0}`;
  });
  expect(places).toEqual([
    " 3:1-15",
    "kind 4:1-10",
    "metadata.labels.app 7:18-26",
    "spec 8:1-5",
    "spec.containers.0.image 11:5-19",
    "spec.containers.1 12:5-14",
    "spec.containers.1.args.1 13:15-18",
    "spec.containers.7.args 9:3-13",
    "spec.missing.deep 8:1-5",
    "other.name 6:3-10",
  ]);
});
