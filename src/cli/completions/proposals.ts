import { proposeCompletions } from "@stricli/core";
import { createApplication } from "../application.ts";
import type { CliContext } from "../context.ts";
import { liveNames } from "./live-names.ts";

/** Completions of the last word, each `word<TAB>what it is`; the scripts read this form. */
export async function proposals(
  words: readonly string[],
  context: CliContext,
): Promise<readonly string[]> {
  const application = createApplication({
    version: context.version,
    output: "text",
    command: "keelson",
  });
  const found = await proposeCompletions(application, words, context);
  const names = await liveNames(words, context);
  return [
    ...names.map((name) => `${name}\t`),
    ...found.map(({ completion, brief }) => `${completion}\t${brief.split("\n")[0] ?? ""}`),
  ];
}
