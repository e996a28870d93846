import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CliContext } from "../../context.ts";

/** What the words of a dev loop's command line mean. */
export interface DevArguments {
  readonly input: string;
  readonly components: readonly string[];
  /** For the settings of a Tiltfile: from the first flag after `--` on. */
  readonly args: readonly string[];
}

/** The first word is the source if there is such a file; all others are components. */
export async function devArguments(
  context: CliContext,
  words: readonly string[],
): Promise<DevArguments> {
  const end = words.findIndex((word) => word.startsWith("-") && word !== "-");
  const names = end === -1 ? words : words.slice(0, end);
  const args = end === -1 ? [] : words.slice(end);
  const [first, ...others] = names;
  if (first === undefined) return { input: ".", components: [], args };
  const isPath =
    first === "-" ||
    /[/\\.]/.test(first) ||
    (await stat(resolve(context.workingDirectory, first)).catch(() => undefined)) !== undefined;
  return isPath
    ? { input: first, components: others, args }
    : { input: ".", components: names, args };
}
