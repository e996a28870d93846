import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { evaluateTiltfile, type TiltfileResult } from "../../src/sources/tiltfile/index.ts";

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
): Promise<TiltfileResult> {
  writeFileSync(join(folder, "Tiltfile"), text);
  return evaluateTiltfile({
    path: "Tiltfile",
    workingDirectory: folder,
    environment: process.env,
    signal,
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
});
