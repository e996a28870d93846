import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rendered } from "../../blueprints/index.ts";
import { type JsonObject, stringifyJson } from "../../json/index.ts";
import { parseYamlStream } from "../../objects/index.ts";
import { runToEnd } from "../../processes/index.ts";

/** Long enough for a busy machine; a template that runs for ever must not hold up the others. */
const timeoutMs = 10_000;
const mostOutput = 16 * 1024 * 1024;
const mostAtOnce = 4;
const longestMessage = 2_000;

export type RenderYtt = (text: string, context: JsonObject) => Promise<Rendered>;

/** Runs a program `ytt`, a few at a time; whatever it says no to is a problem of the template. */
export function yttRunner(program = "ytt"): RenderYtt {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (text, context) => {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await run(program, text, context);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

/** Values go through a file that nobody else can read: arguments are limited in size, and anybody sees them. */
async function run(program: string, text: string, context: JsonObject): Promise<Rendered> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-ytt-"));
  try {
    const values = join(folder, "values.yaml");
    await writeFile(values, stringifyJson(context), { mode: 0o600 });
    return await runWith(program, ["-f", "-", "--data-values-file", values], text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWith(program: string, args: readonly string[], input: string): Promise<Rendered> {
  const ended = await runToEnd({
    command: [program, ...args],
    environment: process.env,
    input,
    timeoutMs,
    mostOutputBytes: mostOutput,
  });
  switch (ended.kind) {
    case "not-started":
      return problem(
        ended.error.code === "ENOENT" ? missing(program) : `ytt failed: ${ended.error.message}`,
      );
    case "stopped":
      return problem(
        `ytt was ended: it took longer than ${timeoutMs / 1000} s, or printed too much`,
      );
    case "ended":
      return ended.status === 0 ? parsed(ended.stdout) : refused(ended.stderr);
  }
}

function refused(stderr: string): Rendered {
  const printed = stderr.slice(0, longestMessage);
  return { kind: "problem", message: `ytt failed: ${printed.trim()}`, printed };
}

function missing(program: string): string {
  return `the template needs ytt, and there is no program ${program} on the PATH of this process`;
}

function parsed(stdout: string): Rendered {
  const stream = parseYamlStream(stdout);
  if (stream.kind === "problem") return problem(`what ytt printed is not YAML: ${stream.message}`);
  const [first, ...more] = stream.values;
  if (first === undefined || more.length > 0)
    return problem(`the template must give one object, and ytt printed ${stream.values.length}`);
  return { kind: "value", value: first };
}

function problem(message: string): Rendered {
  return { kind: "problem", message };
}
