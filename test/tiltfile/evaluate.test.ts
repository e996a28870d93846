import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  assembleTiltfile,
  evaluateTiltfile,
  type TiltfileResult,
} from "../../src/sources/tiltfile/index.ts";
import { oneLine, workload } from "./run-tiltfile.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keelson-tiltfile-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function evaluate(
  text: string,
  told: string[] = [],
  signal?: AbortSignal,
  onRun?: () => void,
): Promise<TiltfileResult> {
  writeFileSync(join(folder, "Tiltfile"), text);
  return evaluateTiltfile({
    path: "Tiltfile",
    workingDirectory: folder,
    environment: process.env,
    signal,
    onRun,
    onOutput: ({ text: line }) => told.push(line),
  });
}

describe("evaluateTiltfile", () => {
  it("runs each command once, in its place, and tells each line once", async () => {
    writeFileSync(join(folder, "count"), "0\n");
    const told: string[] = [];
    const { diagnostics, output } = await evaluate(
      `
def count():
  return str(read_file('count')).strip()
print('before ' + count())
first = str(local('echo 1 > count; echo a', quiet=True)).strip()
print('between ' + count() + first)
for name in ['x', 'y']:
  local('echo %s >> names' % name, quiet=True, echo_off=True)
print('after ' + str(read_file('names')).replace('\\n', ','))
`,
      told,
    );
    expect(diagnostics).toEqual([]);
    const lines = ["before 0", "local: echo 1 > count; echo a", "between 1a", "after x,y,"];
    expect(told).toEqual(lines);
    expect(output.map(({ text }) => text)).toEqual(lines);
  });

  it("runs each of very many commands once", async () => {
    const { diagnostics } = await evaluate(
      `
text = '\\n'.join(['---\\nname: n%d' % number for number in range(300)])
for number in range(80):
  decode_yaml_stream(text)
  local('echo %d >> ran' % number, quiet=True, echo_off=True)
`,
    );
    expect(diagnostics).toEqual([]);
    const ran = readFileSync(join(folder, "ran"), "utf8").trim().split("\n");
    expect(ran).toEqual(Array.from({ length: 80 }, (_, number) => String(number)));
  });

  it("lets others go on while a command runs", async () => {
    const evaluated = evaluate("local('until test -e go; do sleep 0.02; done; echo went')");
    // It can only end if this process goes on meanwhile.
    setTimeout(() => {
      writeFileSync(join(folder, "go"), "");
    });
    expect((await evaluated).output.at(-1)?.text).toBe(" → went");
  });

  it("runs more commands than it begins anew", async () => {
    const { output, diagnostics } = await evaluate(
      "for i in range(60):\n  local('echo %d >> all' % i, quiet=True, echo_off=True)\nprint(len(str(read_file('all')).splitlines()))",
    );
    expect(diagnostics).toEqual([]);
    expect(output.map(({ text }) => text)).toEqual(["60"]);
  });

  it("finds what is wrong behind a command, also in files that are loaded", async () => {
    writeFileSync(join(folder, "part.tiltfile"), "x = str(local('echo 7')).strip()\n");
    const { diagnostics } = await evaluate("load('part.tiltfile', 'x')\nfail('it is ' + x)\n");
    expect(diagnostics.map(({ summary }) => summary)).toEqual([expect.stringContaining("it is 7")]);
  });

  it("is ended by a signal, with its command", async () => {
    const stop = new AbortController();
    const evaluated = evaluate("local('touch begun; exec sleep 600')", [], stop.signal);
    setTimeout(() => {
      stop.abort();
    });
    await expect(evaluated).rejects.toMatchObject({ diagnostics: [{ code: "tiltfile.stopped" }] });
  });

  it("goes on where calls are nested too deep for the process's own stack, once", async () => {
    const told: string[] = [];
    writeFileSync(join(folder, "web.yaml"), workload("Deployment", "web"));
    const ran = await evaluate(
      `
def depth(n):
  return 0 if n == 0 else 1 + depth(n - 1)
def name(id):
  return 'named-' + id.name + '-' + id.namespace
print('before')
local('echo ran >> ran', quiet=True, echo_off=True)
k8s_yaml('web.yaml')
workload_to_resource_function(name)
print(depth(2000), depth(20000))
local('echo later >> ran', quiet=True, echo_off=True)
print(read_file('missing', 'none'))
`,
      told,
    );
    expect(ran.diagnostics.map(oneLine)).toEqual([]);
    expect(told).toEqual(["before", "2000 20000", "none"]);
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("ran\nlater\n");
    const { components } = assembleTiltfile(ran, { namespace: "default" });
    expect(components.map((component) => component.name)).toEqual(["named-web-default"]);
    const [web] = components.flatMap((component) => component.objects);
    expect(web?.sourceOf(["spec", "template"]).start).toEqual({ line: 4, column: 45 });
    expect(web?.sourceOf(["spec", "nothing", 0]).start.line).toBe(4);
  });

  it("says where a recursion does not end, and a failure as deep as it is", async () => {
    const endless = await evaluate("def a(n): return b(n)\ndef b(n): return a(n)\na(1)");
    const [problem] = endless.diagnostics;
    expect(endless.diagnostics.map(oneLine)).toEqual([
      "starlark.limit at Tiltfile:1:19: Starlark computation cancelled: too many nested calls (limit 100000)",
    ]);
    expect(problem?.detail?.split("\n").length).toBeLessThan(110);
    const failed = await evaluate("def a(n): return a(n - 1) if n else fail('no')\na(5000)");
    expect(failed.diagnostics.map(oneLine)).toEqual(["starlark.failed at Tiltfile:1:41: no"]);
  });

  it("is interrupted in a command that it came to deep down", async () => {
    const stop = new AbortController();
    const text = "def a(n): return a(n - 1) if n else local('exec sleep 600')\na(5000)";
    const evaluated = evaluate(text, [], stop.signal, () => {
      stop.abort();
    });
    await expect(evaluated).rejects.toMatchObject({ diagnostics: [{ code: "tiltfile.stopped" }] });
  });
});
