import { execFile } from "node:child_process";
import type { Rendered } from "../../blueprints/index.ts";
import { type JsonObject, parseYamlStream, stringifyJson } from "../../objects/index.ts";

/** Long enough for a busy machine; a template that runs for ever must not hold up the others. */
const timeoutMs = 10_000;
const mostOutputBytes = 16 * 1024 * 1024;
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

function run(program: string, text: string, context: JsonObject): Promise<Rendered> {
  const values = Object.entries(context).flatMap(([key, value]) => [
    "--data-value-yaml",
    `${key}=${stringifyJson(value)}`,
  ]);
  return new Promise((resolve) => {
    const child = execFile(
      program,
      ["-f", "-", ...values],
      { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: mostOutputBytes },
      (error, stdout, stderr) => {
        resolve(error === null ? parsed(stdout) : problem(failure(error, stderr, program)));
      },
    );
    // A program that does not read its input to the end is told from its answer, not from the pipe.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(text);
  });
}

function failure(
  error: Error & { readonly code?: unknown; readonly killed?: boolean },
  stderr: string,
  program: string,
): string {
  if (error.code === "ENOENT")
    return `the template needs ytt, and there is no program ${program} on the PATH of this process`;
  if (error.killed === true) return `ytt was ended: it took longer than ${timeoutMs / 1000} s`;
  const said = stderr.trim();
  return `ytt failed: ${said === "" ? error.message : said}`.slice(0, longestMessage);
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
