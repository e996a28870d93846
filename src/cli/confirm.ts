import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { fail } from "../diagnostics/index.ts";
import type { CliContext } from "./context.ts";
import { isCi } from "./is-ci.ts";

/** Whether somebody is asked: on a terminal, outside of CI. */
export function isAsked(
  { process: { env, stdout }, stdin }: CliContext,
  { yes }: { readonly yes: boolean },
): boolean {
  const canAnswer = stdin.isTTY === true && stdout.isTTY === true;
  return !yes && canAnswer && !isCi(env);
}

/** Asks before something is done, where somebody can answer. */
export async function confirm(
  context: CliContext,
  question: string,
  flags: { readonly yes: boolean },
): Promise<void> {
  const { stdout } = context.process;
  if (!isAsked(context, flags)) return;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      stdout.write(chunk.toString("utf8"));
      done();
    },
  });
  const lines = createInterface({ input: context.stdin, output });
  // Otherwise an input that ends, or is taken away, would leave the question open for ever.
  const ended = new AbortController();
  const onEnd = (): void => {
    ended.abort();
  };
  lines.once("close", onEnd);
  context.stdin.once("close", onEnd);
  try {
    const text = `${context.style.stdout.bold(question)} [y/N] `;
    const answer = await lines.question(text, { signal: ended.signal });
    if (/^y(?:es)?$/i.test(answer.trim())) return;
  } catch (error) {
    // An interrupt takes the input away; who ends it has only not agreed.
    if (context.stdin.destroyed && !context.stdin.readableEnded) throw error;
  } finally {
    context.stdin.off("close", onEnd);
    lines.close();
  }
  fail({ code: "cli.declined", summary: "nothing was done, because you did not agree" });
}
