import type { Diagnostic } from "../diagnostics/index.ts";
import { type Edge, findCycle, Graph } from "../graph/index.ts";
import { isJsonObject } from "../json/index.ts";
import { aliasProblems } from "./alias-problems.ts";
import { deferredJson, type DeferredValues, type UnfitValue } from "./deferred-json.ts";
import { automaticNumbersNote } from "./automatic-numbers-note.ts";
import type { EvaluationRun } from "./evaluation-run.ts";
import { programEdges } from "./program-edges.ts";
import type { ProgramResource, ProgramResourceOptions } from "./program-graph.ts";
import { withSecretPaths } from "./secret-paths.ts";
import { allocatorOf, type ResourceRecord } from "./resource-record.ts";

export interface BuiltGraph {
  readonly resources: readonly ProgramResource[];
  readonly notes: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns what an evaluation recorded into plain data, and checks what only the whole can show. */
export function buildGraph(
  { records, reads }: EvaluationRun,
  deferred: DeferredValues,
): BuiltGraph {
  const diagnostics: Diagnostic[] = [...aliasProblems(records)];
  const edges = programEdges(records, reads);
  const graph = new Graph(
    records.map(({ name }) => name),
    edges,
  );
  const cycle = findCycle(graph);
  if (cycle !== undefined) diagnostics.push(cycleDiagnostic(cycle, records));
  const resources = records.map((record): ProgramResource => {
    const unfit: UnfitValue[] = [];
    const inputs = deferredJson(inputsOf(record), deferred, unfit, record.object === undefined);
    if (record.kind !== "composite") {
      diagnostics.push(...unfit.map((each) => unfitDiagnostic(record, each)));
    }
    const { object } = record;
    return {
      name: record.name,
      type: record.type,
      kind: record.kind,
      package: record.package,
      providerType: record.providerType,
      inputs,
      options: plainOptions(record),
      edges: graph.dependenciesOf(record.name).map(({ to, reason }) => ({ to, reason })),
      ...(object === undefined
        ? {}
        : { objectName: { naming: object.naming, isGenerated: object.isGenerated } }),
      ...defined({
        explicitId: record.explicitId,
        automaticId: record.automaticId,
        globalId: record.globalId,
        parent: allocatorOf(record.frame)?.name,
      }),
      aliases: record.aliases,
      source: record.source,
    };
  });
  return {
    resources: withSecretPaths(resources),
    notes: automaticNumbersNote(records),
    diagnostics,
  };
}

/** Of a Kubernetes resource the whole object. */
function inputsOf({ props, object }: ResourceRecord): unknown {
  if (object === undefined) return props;
  const { metadata, apiVersion: _, kind: __, ...rest } = props;
  const { generateName: ___, ...written } = isJsonObject(metadata) ? metadata : {};
  return {
    ...object.kind,
    metadata: object.name === undefined ? metadata : { ...written, name: object.name },
    ...rest,
  };
}

function plainOptions({ options, secret }: ResourceRecord): ProgramResourceOptions {
  const { dependsOn: _, aliases: __, naming: ___, ...rest } = options;
  return defined({ ...rest, secret: secret.length === 0 ? undefined : secret });
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

function unfitDiagnostic(record: ResourceRecord, { at, problem }: UnfitValue): Diagnostic {
  return {
    code: "program.bad-value",
    severity: "error",
    summary: `The property ${at} of ${record.label} ${problem}, which is no data`,
    hint: "Properties are text, numbers, booleans, lists and objects, and properties of other resources",
    subject: record.name,
    source: record.source,
  };
}

function cycleDiagnostic(cycle: readonly Edge[], records: readonly ResourceRecord[]): Diagnostic {
  const labels = new Map(records.map(({ name, label }) => [name, label]));
  const first = records.find(({ name }) => name === cycle[0]?.from);
  return {
    code: "program.dependency-cycle",
    severity: "error",
    summary: `The resources of the program wait for each other: ${cycle.map(({ from }) => labels.get(from)).join(" → ")} → ${first?.label ?? ""}`,
    detail: cycle
      .map(({ from, to, reason }) => `${labels.get(from)} waits for ${labels.get(to)}: ${reason}`)
      .join("\n"),
    hint: "Remove one of these references or dependsOn",
    source: first?.source,
  };
}
