import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DiagnosticError, fail } from "../../diagnostics/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { definitionTypes } from "../../resources/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { openCluster } from "../open-cluster.ts";
import { readSource } from "../../engine/index.ts";
import type { TypesFlags } from "./types.ts";
import { hostOf } from "../host-of.ts";

export const runTypes: CommandHandler<TypesFlags, readonly string[]> = async (
  context,
  flags,
  ...inputs
) => {
  const text = definitionTypes(
    inputs.length === 0 ? await ofCluster(context, flags) : await ofInputs(context, inputs),
  );
  if (text === undefined) {
    return fail({
      code: "cli.no-definitions",
      summary: `there is no CustomResourceDefinition in ${inputs.length === 0 ? "the cluster" : inputs.join(", ")}`,
    });
  }
  if (flags.out === undefined) context.process.stdout.write(text);
  else await writeFile(resolve(context.workingDirectory, flags.out), text);
  return exitCode.success;
};

async function ofInputs(
  context: CliContext,
  inputs: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const { objects, diagnostics } = await readSource(hostOf(context), inputs);
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
  return objects.map(({ object }) => object);
}

async function ofCluster(
  context: CliContext,
  flags: TypesFlags,
): Promise<readonly KubernetesObject[]> {
  const { cluster } = await openCluster(context, flags);
  try {
    const kind = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
    return (await cluster.list(kind)).items;
  } finally {
    await cluster.close();
  }
}
