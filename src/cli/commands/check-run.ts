import { resolve } from "node:path";
import { bundleScopes } from "../../bundles/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { type Diagnostic, fail } from "../../diagnostics/index.ts";
import {
  formatIdentity,
  groupOf,
  identityOf,
  type KnownScope,
  scopeLookup,
  type SourcedObject,
} from "../../objects/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { clusterInView, openCluster } from "../open-cluster.ts";
import { report } from "../report.ts";
import { checkSource, readSource, type Source } from "../../engine/index.ts";
import type { CheckFlags } from "./check.ts";
import { hostOf } from "../host-of.ts";

/** What is checked. */
interface ReadInput {
  readonly source: Source;
  /** Where objects go that name no namespace, unless a cluster says otherwise. */
  readonly namespace?: string;
  /** How many resources a program asks for, if the input is one. */
  readonly resources?: number;
}

/** What a check found: the objects, everything wrong, and the cluster if it was asked. */
interface Findings {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many resources a program asks for, if the input is one. */
  readonly resources?: number;
  readonly cluster?: { readonly description: string; readonly version: string };
}

export const runCheck: CommandHandler<CheckFlags, readonly string[]> = async (
  context,
  flags,
  ...inputs
) => {
  const asksCluster = flags.cluster || inputs.length === 0;
  if (flags.noExecution && asksCluster)
    fail({
      code: "cli.usage",
      summary:
        "--no-execution is for inputs: to reach a cluster, a program of the kubeconfig may have to run",
      hint: "Name the inputs, and leave out --cluster.",
    });
  const read: ReadInput =
    inputs.length === 0
      ? { source: { kind: "objects", objects: [], diagnostics: [] } }
      : flags.noExecution
        ? await inspectInputs(context, inputs)
        : await readInputs(context, flags, inputs);
  const findings = asksCluster
    ? await checkWithCluster(context, flags, read)
    : await checkInput(context, flags, read, {
        namespace: read.namespace ?? flags.namespace ?? "default",
        discovered: [],
      });
  report(context, findings.diagnostics, flags.output);
  const hasErrors = findings.diagnostics.some(({ severity }) => severity === "error");
  if (!hasErrors || asksCluster)
    printSummary(context, flags, findings, inputs.length > 0 && !hasErrors);
  return hasErrors ? exitCode.invalid : exitCode.success;
};

/** What can be said without running any code of the inputs. */
async function inspectInputs(context: CliContext, inputs: readonly string[]): Promise<ReadInput> {
  const { inspectSource } = await import("../../engine/index.ts");
  return { source: { kind: "objects", ...(await inspectSource(hostOf(context), inputs)) } };
}

async function readInputs(
  context: CliContext,
  flags: CheckFlags,
  inputs: readonly string[],
): Promise<ReadInput> {
  const inView = await clusterInView(context, flags);
  const source = await readSource(hostOf(context), inputs, { ...inView, announcesCommands: true });
  const { namespace } = inView;
  if (source.kind !== "program") return { source, namespace };
  const { program } = source;
  await program.close();
  const [path = ""] = inputs;
  const { checkTypes } = await import("../../sources/program/check-types.ts");
  const types = await checkTypes({
    path: resolve(context.workingDirectory, path),
    workingFolder: context.workingDirectory,
  });
  const diagnostics = [...source.diagnostics, ...types];
  const resources = program.graph.resources.length;
  return { source: { ...source, diagnostics }, namespace, resources };
}

async function checkWithCluster(
  context: CliContext,
  flags: CheckFlags,
  read: ReadInput,
): Promise<Findings> {
  const { cluster, namespace, description } = await openCluster(context, flags);
  try {
    const { gitVersion } = await cluster.version();
    const known = await knownScopes(cluster);
    const found = await checkInput(context, flags, read, { namespace, discovered: known });
    const unknown = unknownKinds(found.objects, known);
    return {
      ...found,
      diagnostics: [...found.diagnostics, ...unknown],
      cluster: { description, version: gitVersion },
    };
  } finally {
    await cluster.close();
  }
}

async function checkInput(
  context: CliContext,
  { noExecution }: CheckFlags,
  { source, resources }: ReadInput,
  place: { readonly namespace: string; readonly discovered: readonly KnownScope[] },
): Promise<Findings> {
  const found = await checkSource(hostOf(context), source, { ...place, runsPlugins: !noExecution });
  return { ...found, ...(resources === undefined ? {} : { resources }) };
}

async function knownScopes(cluster: Cluster): Promise<readonly KnownScope[]> {
  const resources = await cluster.resources();
  return resources.all.map(({ group, kind, namespaced }) => ({
    group,
    kind,
    scope: namespaced ? "namespaced" : "cluster",
  }));
}

/** Kinds that neither the cluster serves nor a definition in the input brings. */
function unknownKinds(
  objects: readonly SourcedObject[],
  discovered: readonly KnownScope[],
): readonly Diagnostic[] {
  // Bundles are carried out here where the cluster does not know them.
  const known = [...bundleScopes, ...discovered];
  const served = new Set(known.map(({ group, kind }) => `${group}/${kind}`));
  const defined = scopeLookup({ objects: objects.map(({ object }) => object) });
  return objects
    .filter(({ object }) => {
      const group = groupOf(object.apiVersion);
      return (
        !served.has(`${group}/${object.kind}`) &&
        (group === "" || defined(group, object.kind) === undefined)
      );
    })
    .map((sourced) => ({
      code: "cluster.unknown-kind" as const,
      severity: "error" as const,
      summary: `${formatIdentity(identityOf(sourced.object))}: the cluster does not serve ${sourced.object.apiVersion} ${sourced.object.kind}`,
      hint: "apply its CustomResourceDefinition first, or put it into the same input",
      subject: formatIdentity(identityOf(sourced.object)),
      source: sourced.sourceOf(["kind"]),
    }));
}

function printSummary(
  context: CliContext,
  flags: CheckFlags,
  { objects, resources, cluster }: Findings,
  hasInput: boolean,
): void {
  const { stdout } = context.process;
  const [count, word] =
    resources === undefined ? [objects.length, "object"] : [resources, "resource"];
  if (flags.output === "json") {
    stdout.write(
      `${JSON.stringify({ type: "summary", [`${word}s`]: count, ...(flags.noExecution ? { executed: false } : {}), ...(cluster === undefined ? {} : { cluster }) })}\n`,
    );
    return;
  }
  const { green, dim } = context.style.stdout;
  if (cluster !== undefined)
    stdout.write(`${green("✓")} ${cluster.description} answers ${dim(`(${cluster.version})`)}\n`);
  if (!hasInput) return;
  const found = `${count} ${count === 1 ? `${word} is` : `${word}s are`} in order`;
  const known = flags.noExecution ? ", as far as is known without running anything" : "";
  stdout.write(`${green("✓")} ${found}${known}\n`);
}
