import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { compileCel, evaluate, type Variables } from "./compile-cel.ts";
import { readableValue } from "../../test/cel/readable-value.ts";

const self = crdSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        text: { type: "string" },
        count: { type: "integer" },
        ratio: { type: "number" },
        when: { type: "string", format: "date-time" },
        data: { type: "string", format: "byte" },
        port: { "x-kubernetes-int-or-string": true },
        maybe: { type: "string", nullable: true },
        "a-b": { type: "string" },
        namespace: { type: "string" },
        set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        labels: { type: "object", additionalProperties: { type: "string" } },
      },
    },
  },
});

const object = {
  metadata: { name: "a" },
  spec: {
    text: "é!",
    count: 3,
    ratio: 2,
    when: "2024-02-29T10:20:30.000000001Z",
    data: "aGk=",
    port: 80,
    maybe: null,
    "a-b": "dash",
    namespace: "n",
    set: ["x", "y"],
    labels: { a: "1" },
  },
};

/** An expression and its value, or the first line of what is said instead. */
function check(
  expression: string,
  expected: string,
  variables: Variables = { self: { schema: self } },
): void {
  const compilation = compileCel(expression, variables);
  if (compilation.kind === "problems") {
    expect(`${compilation.text.split("\n")[0]}`, expression.slice(0, 80)).toBe(expected);
    return;
  }
  const result = evaluate(compilation.program, { self: object });
  const text =
    result.kind === "value"
      ? readableValue(result.value)
      : result.kind === "failure"
        ? `failure: ${result.message}`
        : "too costly";
  expect(text, expression.slice(0, 80)).toBe(expected);
}

test("values have the types of their schemas", () => {
  check("type(self.spec.count)", "int");
  check("type(self.spec.ratio)", "double");
  check("self.spec.ratio", "2.0");
  check("type(self.spec.when)", "google.protobuf.Timestamp");
  check("self.spec.data == b'hi'", "true");
  check("self.spec.port + 1", "81");
  check("self.spec.a__dash__b", '"dash"');
  check("self.spec.namespace + self.spec.__namespace__", '"nn"');
  check("has(self.spec.namespace)", "true");
  check("self.metadata.name", '"a"');
  check("has(self.spec.maybe)", "false");
  check("self.spec.set == ['y', 'x']", "true");
  check("self.spec.labels", '{"a": "1"}');
  check("self.spec.text.size()", "2");
  check("self.spec.when > timestamp('2024-02-29T10:20:30Z')", "true");
});

test("mistakes are found before anything runs", () => {
  check("self.spec.nothing", "ERROR: <input>:1:10: undefined field 'nothing'");
  check(
    "self.spec.count + 'a'",
    "ERROR: <input>:1:17: found no matching overload for '_+_' applied to '(int, string)'",
  );
  check("nothing", "ERROR: <input>:1:1: undeclared reference to 'nothing' (in container '')");
  check("self.spec.text.matches('(')", "ERROR: <input>:1:24: invalid matches argument");
  check("x".repeat(70_000), "ERROR: <input>:1:1: expression is too long");
  check(
    `${"(".repeat(500)}1${")".repeat(500)}`,
    "ERROR: <input>:1:151: Syntax error: Exceeded maxDepth (150)",
  );
});

test("failures have the server's words", () => {
  check("self.spec.maybe", "failure: no such key: maybe");
  check("[1][3]", "failure: index out of bounds: 3");
  check("1 / 0", "failure: division by zero");
  check("9223372036854775807 + 1", "failure: integer overflow");
  check("{'a': 1}['b']", "failure: no such key: b");
  check("dyn('a') + 1", "failure: no such overload");
  check("optional.none().value()", "failure: optional.none() dereference");
  check("{'a': 1, 'a': 2}", "failure: Failed with repeated key");
});

test("one side of a logical operator can decide", () => {
  check("1 / 0 == 1 || true", "true");
  check("1 / 0 == 1 && false", "false");
  check("[0, 1].exists(x, 1 / x == 1)", "true");
  check("[0, 1].all(x, 1 / x == 1)", "failure: division by zero");
});

test("numbers, keys and texts are exact", () => {
  check("{1: 'a', 2: 'b'}[2]", '"b"');
  check("dyn(1) == 1.0 && dyn(1u) == 1", "true");
  check("9007199254740993 - 9007199254740992", "1");
  check("'a😀b'.charAt(1)", '"😀"');
  check("'a😀b'.substring(2)", '"b"');
  check("'%s %d'.format(['a', 1])", '"a 1"');
  check("quantity('0.1').add(quantity('0.2')) == quantity('300m')", "true");
});

test("without a schema, values are what they are", () => {
  const variables = { self: {} };
  check("self.spec.count == 3", "true", variables);
  check("self.spec.labels['a'] == '1'", "true", variables);
  check("self.status.phase == 'Bound'", "failure: no such key: status", variables);
  check("self.?status.?phase.orValue('') == 'Bound'", "false", variables);
  check("self.spec.nothing.all(x, true)", "failure: no such key: nothing", variables);
});

test("depth has an end", () => {
  check(`1${" + 1".repeat(500)}`, "501");
  check(
    `1${" + 1".repeat(9000)}`,
    "ERROR: <input>:1:1: Syntax error: Exceeded maxAstNodes (10000)",
  );
  check(`true${" && true".repeat(1000)}`, "true");
  let deep: JsonValue = [];
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const compilation = compileCel("self == oldSelf", { self: {}, oldSelf: {} });
  if (compilation.kind !== "program") throw new Error(compilation.text);
  const result = evaluate(compilation.program, { self: deep, oldSelf: [deep] });
  expect(result).toMatchObject({ kind: "failure", message: "value is nested too deeply" });
});

test("evaluation ends", () => {
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  const compilation = compileCel("self.all(a, self.all(b, self.all(c, a + b + c >= 0)))", {
    self: {},
  });
  if (compilation.kind !== "program") throw new Error(compilation.text);
  expect(evaluate(compilation.program, { self: list }).kind).toBe("too-costly");
  check("lists.range(100000).map(x, lists.range(100000)).flatten().size()", "too costly");
  check("'a'.matches('(a*)*b')", "false");
  const doubling = `[1].map(a, 'x')${".map(t, t + t)".repeat(60)}[0].size()`;
  check(doubling, "too costly");
});
