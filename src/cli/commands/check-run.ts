import { resolve } from "node:path";
import { bundleScopes, isBundle } from "../../bundles/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { type Diagnostic, fail } from "../../diagnostics/index.ts";
import {
  defaultNamespaces,
  duplicateObjects,
  formatIdentity,
  groupOf,
  identityOf,
  type KnownScope,
  scopeLookup,
  type SourcedObject,
  splitApiVersion,
} from "../../objects/index.ts";
import { schemasOfDefinitions } from "../../observe/index.ts";
import { diagnoseInput } from "../../plan/index.ts";
import { diagnoseRules } from "../../readiness/index.ts";
import { builtinSchemas, type Schema } from "../../schema/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { clusterInView, openCluster } from "../open-cluster.ts";
import { report } from "../report.ts";
import { readSource } from "../../engine/index.ts";
import type { CheckFlags } from "./check.ts";
import { hostOf } from "../host-of.ts";

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
  const read =
    inputs.length === 0
      ? { objects: [], diagnostics: [] }
      : flags.noExecution
        ? await inspectInputs(context, inputs)
        : await readInputs(context, flags, inputs);
  const findings = asksCluster
    ? await checkWithCluster(context, flags, read)
    : checkObjects(read, [], flags.namespace ?? "default");
  report(context, findings.diagnostics, flags.output);
  const hasErrors = findings.diagnostics.some(({ severity }) => severity === "error");
  if (!hasErrors || asksCluster)
    printSummary(context, flags, findings, inputs.length > 0 && !hasErrors);
  return hasErrors ? exitCode.invalid : exitCode.success;
};

/** What can be said without running any code of the inputs. */
async function inspectInputs(context: CliContext, inputs: readonly string[]): Promise<Findings> {
  const { inspectSource } = await import("../../engine/index.ts");
  const { objects, diagnostics } = await inspectSource(hostOf(context), inputs);
  return {
    objects,
    diagnostics: [...diagnostics, ...(await problemsOfBundles(context, objects, false))],
  };
}

async function problemsOfBundles(
  { workingDirectory }: CliContext,
  objects: readonly SourcedObject[],
  runsPlugins: boolean,
): Promise<readonly Diagnostic[]> {
  const bundles = objects.filter(({ object }) => isBundle(object));
  if (bundles.length === 0) return [];
  const { bundleProblems } = await import("../../engine/index.ts");
  return bundleProblems(bundles, { workingDirectory, runsPlugins });
}

async function readInputs(
  context: CliContext,
  flags: CheckFlags,
  inputs: readonly string[],
): Promise<Findings> {
  const inView = await clusterInView(context, flags);
  const source = await readSource(hostOf(context), inputs, { ...inView, announcesCommands: true });
  if (source.kind !== "program") {
    const diagnostics = await problemsOfBundles(context, source.objects, true);
    return { objects: source.objects, diagnostics: [...source.diagnostics, ...diagnostics] };
  }
  const { program } = source;
  await program.close();
  const [path = ""] = inputs;
  const { checkTypes } = await import("../../sources/program/check-types.ts");
  const types = await checkTypes({
    path: resolve(context.workingDirectory, path),
    workingFolder: context.workingDirectory,
  });
  return {
    ...source,
    diagnostics: [...source.diagnostics, ...types],
    resources: program.graph.resources.length,
  };
}

async function checkWithCluster(
  context: CliContext,
  flags: CheckFlags,
  read: Findings,
): Promise<Findings> {
  const { cluster, namespace, description } = await openCluster(context, flags);
  try {
    const { gitVersion } = await cluster.version();
    const known = await knownScopes(cluster);
    const checked = checkObjects(read, known, namespace);
    const unknown = unknownKinds(checked.objects, known);
    return {
      ...checked,
      diagnostics: [...checked.diagnostics, ...unknown],
      cluster: { description, version: gitVersion },
    };
  } finally {
    await cluster.close();
  }
}

async function knownScopes(cluster: Cluster): Promise<readonly KnownScope[]> {
  const resources = await cluster.resources();
  return resources.all.map(({ group, kind, namespaced }) => ({
    group,
    kind,
    scope: namespaced ? "namespaced" : "cluster",
  }));
}

function checkObjects(
  read: Findings,
  discovered: readonly KnownScope[],
  namespace: string,
): Findings {
  const scopeOf = scopeLookup({ discovered, objects: read.objects.map(({ object }) => object) });
  const defaulted = defaultNamespaces(read.objects, scopeOf, namespace);
  return {
    ...(read.resources === undefined ? {} : { resources: read.resources }),
    objects: defaulted.objects,
    diagnostics: [
      ...read.diagnostics,
      ...defaulted.diagnostics,
      ...duplicateObjects(defaulted.objects).map(({ diagnostic }) => diagnostic),
      ...diagnoseRules(defaulted.objects).map(({ diagnostic }) => diagnostic),
      ...diagnoseInput(defaulted.objects, knownSchemas(defaulted.objects)),
    ],
  };
}

/** The bundled schemas, and those of definitions in the input. */
function knownSchemas(
  objects: readonly SourcedObject[],
): (apiVersion: string, kind: string) => Schema | undefined {
  const defined = schemasOfDefinitions(objects.map(({ object }) => object));
  return (apiVersion, kind) =>
    builtinSchemas().get({ ...splitApiVersion(apiVersion), kind }) ??
    defined.get(`${apiVersion} ${kind}`);
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
