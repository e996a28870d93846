import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Rendered } from "../../blueprints/index.ts";
import { type JsonObject, parseYamlStream, stringifyJson } from "../../objects/index.ts";

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

function runWith(program: string, args: readonly string[], text: string): Promise<Rendered> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const printed = collect(child.stdout, child);
    const said = collect(child.stderr, child);
    child.on("error", (error: NodeJS.ErrnoException) => {
      resolve(problem(error.code === "ENOENT" ? missing(program) : `ytt failed: ${error.message}`));
    });
    child.on("close", (status, signal) => {
      if (status === 0) resolve(parsed(printed()));
      else if (signal === null)
        resolve(problem(`ytt failed: ${said().trim()}`.slice(0, longestMessage)));
      else
        resolve(
          problem(`ytt was ended: it took longer than ${timeoutMs / 1000} s, or printed too much`),
        );
    });
    // A program that does not read to the end is told from its answer, not from the pipe.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
}

/** What a stream gives in the end; a program that says too much is ended. */
function collect(stream: Readable, child: ChildProcess): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > mostOutput) child.kill("SIGKILL");
  });
  return () => text;
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
