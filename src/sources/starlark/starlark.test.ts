import { renderDiagnostic } from "../../diagnostics/index.ts";
import { describe, expect, it } from "vitest";
import {
  bool,
  createInterpreter,
  dataFromValue,
  encodeText,
  EvaluationError,
  hostFunction,
  int,
  optional,
  optionalOrNone,
  required,
  StarlarkFunction,
  structFunction,
  text,
  valueFromData,
  type InterpreterOptions,
} from "./index.ts";

/** Runs a program; gives what it prints, then each diagnostic as `code: summary`. */
function run(source: string, options: InterpreterOptions = {}): string {
  const lines: string[] = [];
  const interpreter = createInterpreter({ print: (line) => lines.push(line), ...options });
  const { diagnostics } = interpreter.run({ path: "Tiltfile", text: source });
  for (const { code, summary } of diagnostics) lines.push(`${code}: ${summary}`);
  return lines.join("\n");
}

describe("errors", () => {
  it("show the place and the calls that led to it", () => {
    const { diagnostics } = createInterpreter().run({
      path: "Tiltfile",
      text: "def f(x):\n  return 'é' + x\nf(1)\n",
    });
    const [first] = diagnostics;
    expect(first === undefined ? "" : renderDiagnostic(first)).toContain("Tiltfile:2:14");
    expect(first?.code).toBe("starlark.failed");
    expect(first?.detail).toBe(
      [
        "Traceback (most recent call last):",
        "  Tiltfile:3:2: in <toplevel>",
        "  Tiltfile:2:14: in f",
        "Error: unknown binary op: string + int",
      ].join("\n"),
    );
    expect(first?.source?.excerpt?.lines).toContain("  return 'é' + x");
  });

  it("show a call that calls itself without end a few times only", () => {
    const { diagnostics } = createInterpreter().run({
      path: "Tiltfile",
      text: "def f(): return f()\nf()\n",
    });
    expect(diagnostics[0]?.detail?.split("\n")).toEqual([
      "Traceback (most recent call last):",
      "  Tiltfile:2:2: in <toplevel>",
      "  Tiltfile:1:18: in f",
      "  Tiltfile:1:18: in f",
      "  Tiltfile:1:18: in f",
      expect.stringMatching(/^ {2}\[the last line \d+ more times\]$/),
      expect.stringContaining("too many nested calls"),
    ]);
  });

  it.each([
    ["x = (", "starlark.syntax: got end of file, want primary expression"],
    ["a\nb\n", "starlark.invalid-program: undefined: a\nstarlark.invalid-program: undefined: b"],
    ["prnt(1)", "starlark.invalid-program: undefined: prnt (did you mean print?)"],
    ["fail('no')", "starlark.failed: fail: no"],
  ])("%j gives %s", (source, expected) => {
    expect(run(source)).toBe(expected);
  });
});

describe("limits", () => {
  const limits = { steps: 100_000, memoryBytes: 8_000_000, callDepth: 100 };
  it.each([
    ["while True: pass", "too many steps (limit 100000)"],
    ["[x for x in range(1 << 50)]", "too many steps (limit 100000)"],
    ["list(range(1 << 50))", "too many steps (limit 100000)"],
    ["x = 'a' * (1 << 29)", "too much memory (limit 8 MiB)"],
    ["x = ['a']\nfor i in range(40): x = x + x", "too much memory (limit 8 MiB)"],
    [
      "x = []\nfor i in range(40): x.append('a' * 1000000 + str(i))",
      "too much memory (limit 8 MiB)",
    ],
    ["x = [('a' * 1000000 + str(i)) for i in range(40)]", "too much memory (limit 8 MiB)"],
    ["def f(): return f()\nf()", "too many nested calls (limit 100)"],
  ])("%j ends with an error", (source, expected) => {
    expect(run(source, { limits })).toBe(
      `starlark.limit: Starlark computation cancelled: ${expected}`,
    );
  });

  it("end texts of texts of texts before they fill the memory of the process", () => {
    const source = "x = ['a']\nfor i in range(40): x.insert(0, '%r' % x)";
    expect(run(source)).toMatch(
      /^starlark\.limit: Starlark computation cancelled: too much memory/,
    );
  });

  it("do not count what is no longer alive", () => {
    const source = "for i in range(100): x = 'a' * 1000000 + str(i)\nprint(len(x))";
    expect(run(source, { limits })).toBe("1000002");
  });

  it("end what the counted depth lets through", () => {
    const deep = "def f(n): return [[[[[[f(n + 1)]]]]]]\nf(0)";
    expect(run(deep, { limits: { callDepth: 1e9 } })).toBe(
      "starlark.limit: Starlark computation cancelled: nested too deep",
    );
    const nested = "x = []\nfor i in range(100000): x = [x]\nprint(len(str(x)))";
    expect(run(nested)).toContain("starlark.limit: ");
    expect(run(`x = ${"a.".repeat(100_000)}b`)).toContain("starlark.");
    expect(run("x = 2\nwhile True: x = x * x")).toBe("starlark.failed: integer too large");
  });
});

describe("hosts", () => {
  const forward = hostFunction("forward", (call) => {
    const { name, port, quiet } = call.unpack({
      name: required(text),
      port: optionalOrNone(int),
      quiet: optional(bool),
    });
    return encodeText(`${name}:${port ?? "-"}:${quiet ?? "-"}`);
  });
  it.each([
    [
      "print(forward('é', 80, quiet=True), forward('a', None), forward(port=1, name='b'))",
      "é:80:true a:-:- b:1:-",
    ],
    ["forward()", "starlark.failed: forward: missing argument for name"],
    ["forward(1)", "starlark.failed: forward: for parameter name: got int, want string"],
    [
      "forward('a', port='b')",
      'starlark.failed: forward: for parameter "port": got string, want int',
    ],
    [
      "forward('a', quit=True)",
      'starlark.failed: forward: unexpected keyword argument "quit" (did you mean quiet?)',
    ],
    [
      "forward('a', name='b')",
      'starlark.failed: forward: got multiple values for keyword argument "name"',
    ],
    ["forward(1, 2, 3, 4)", "starlark.failed: forward: got 4 arguments, want at most 3"],
  ])("%s", (source, expected) => {
    expect(run(source, { builtins: { forward } })).toBe(expected);
  });

  it("give structs, call functions and turn data into values and back", () => {
    const twice = hostFunction("twice", (call) => {
      const [callee = null] = call.args;
      return call.invoke(callee, [call.invoke(callee, [valueFromData({ a: [1, 1.5, "é"] })])]);
    });
    const source =
      "s = struct(b=1, a='x')\nprint(s, s.a, s == struct(a='x', b=1))\nprint(twice(lambda x: [x]))\ns.c";
    expect(run(source, { builtins: { struct: structFunction, twice } })).toBe(
      [
        'struct(a = "x", b = 1) x True',
        '[[{"a": [1, 1.5, "é"]}]]',
        "starlark.failed: struct has no .c attribute",
      ].join("\n"),
    );
    expect(dataFromValue(valueFromData({ a: [null, true, 2n ** 70n, "é"] }))).toEqual({
      a: [null, true, 2n ** 70n, "é"],
    });
  });

  it("load each file once, and tell of what fails inside", () => {
    const files: Record<string, string> = {
      lib: "print('lib')\nx = [1]\ndef name(w): return w + '!'\n",
      bad: "def f():\n  fail('inside')\nf()\n",
    };
    const load = (path: string) => {
      const found = files[path];
      if (found === undefined) throw new EvaluationError("no such file");
      return { path, text: found };
    };
    expect(run("load('lib', 'x')\nload('lib', y='x')\nprint(x == y)", { load })).toBe("lib\nTrue");
    expect(run("load('none', 'x')", { load })).toBe(
      "starlark.failed: cannot load none: no such file",
    );
    const { diagnostics } = createInterpreter({ load }).run({
      path: "T",
      text: "load('bad', 'x')",
    });
    expect(diagnostics[0]?.source?.file).toBe("bad");
    expect(diagnostics[0]?.detail).toContain("bad:2:7: in f");
    const interpreter = createInterpreter();
    const { value } = interpreter.run({ path: "T", text: files["lib"] ?? "" });
    const name = value?.get("name");
    expect(name).toBeInstanceOf(StarlarkFunction);
    expect(interpreter.call(name ?? null, [encodeText("w")]).value).toBe("w!");
    expect(interpreter.call(name ?? null, []).diagnostics[0]?.summary).toContain(
      "missing 1 argument",
    );
  });
});
