import { buildCommand, buildRouteMap } from "@stricli/core";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { word } from "../flag.ts";

// oxlint-disable-next-line typescript/no-empty-object-type -- the framework's way to say "no flags"
type NoFlags = {};

function completionCommand(
  shell: "bash" | "zsh" | "fish",
  setUp: string,
): ReturnType<typeof buildCommand<NoFlags, [], CliContext>> {
  return buildCommand<NoFlags, [], CliContext>({
    loader: lazily(async () => {
      const { completionScript } = await import("../completions/script.ts");
      return (context) => {
        context.process.stdout.write(completionScript(shell));
        return exitCode.success;
      };
    }),
    parameters: {},
    docs: {
      brief: `Prints the completion script for ${shell}`,
      fullDescription: describe(
        `Prints a script that completes commands, flags and values in ${shell}.`,
        [[setUp, "set it up"]],
      ),
    },
  });
}

export const completionCommands = buildRouteMap({
  routes: {
    bash: completionCommand("bash", "keelson completion bash > /etc/bash_completion.d/keelson"),
    zsh: completionCommand("zsh", 'keelson completion zsh > "${fpath[1]}/_keelson"'),
    fish: completionCommand(
      "fish",
      "keelson completion fish > ~/.config/fish/completions/keelson.fish",
    ),
  },
  docs: {
    brief: "Prints a completion script for bash, zsh or fish",
    fullDescription: describe(
      "Prints a script that completes commands, flags and values in your shell.",
      [["source <(keelson completion bash)", "try it in this shell"]],
    ),
  },
});

/** What the scripts call with the words so far; answers one proposal a line. */
export const completeCommand = buildCommand<NoFlags, readonly string[], CliContext>({
  loader: lazily(async () => {
    const { proposals } = await import("../completions/proposals.ts");
    return async (context, _flags, ...words) => {
      const lines = await proposals(words, context);
      context.process.stdout.write(lines.map((line) => `${line}\n`).join(""));
      return exitCode.success;
    };
  }),
  parameters: {
    positional: {
      kind: "array",
      parameter: word("The words of the command line so far", "word"),
    },
  },
  docs: { brief: "Proposes completions for the words of a command line" },
});
