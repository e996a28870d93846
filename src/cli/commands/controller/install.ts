import { buildCommand } from "@stricli/core";
import { type ClusterFlags, clusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { switchFlag, textFlag } from "../../flag.ts";

export interface InstallFlags extends ClusterFlags, OutputFlags {
  readonly apply: boolean;
  readonly image: string;
  readonly replicas: number;
  readonly definitionsOnly: boolean;
}

function parseReplicas(text: string): number {
  const replicas = Number(text);
  if (/^\d+$/.test(text) && replicas <= 100) return replicas;
  throw new SyntaxError(`${JSON.stringify(text)} is no number of replicas`);
}

export const installCommand = buildCommand<InstallFlags, [], CliContext>({
  loader: lazily(async () => (await import("./install-run.ts")).runInstall),
  parameters: {
    flags: {
      ...clusterFlags,
      namespace: textFlag("The namespace of the controller; keelson-system unless given", "name"),
      image: {
        kind: "parsed",
        parse: String,
        default: "keelson:latest",
        brief: "The image of the controller, as the Containerfile builds it",
        placeholder: "reference",
      },
      replicas: {
        kind: "parsed",
        parse: parseReplicas,
        default: "2",
        brief: "How many controllers run; one of them leads",
      },
      definitionsOnly: switchFlag("Only the CustomResourceDefinitions"),
      apply: switchFlag("Apply it to the cluster instead of printing it"),
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
  },
  docs: {
    brief: "Prints, or applies, what a cluster needs to run the controller",
    fullDescription: describe(
      "CustomResourceDefinitions, an account with the rights that the controller uses and no more, and a\nDeployment. Printed as YAML for kubectl or for a repository; --apply applies it.",
      [
        ["keelson install | kubectl apply --server-side -f -", "with kubectl"],
        ["keelson install --apply --image registry.example.com/keelson:1", "at once"],
        ["keelson install --definitions-only --apply", "only the kinds"],
      ],
      "install",
    ),
  },
});
