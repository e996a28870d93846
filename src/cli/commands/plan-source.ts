import { applyGroup, conflictHint } from "../../apply/index.ts";
import { type Cluster, isApiError } from "../../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import type { GroupReference, InventoryPolicy } from "../../inventory/index.ts";
import { takenOver } from "../../merge/index.ts";
import { changesBetween, changesOf, clusterSchemas, type ListsAhead } from "../../observe/index.ts";
import {
  fieldAt,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  maskedValue,
  maskFilledText,
  maskSecretsPair,
} from "../../objects/index.ts";
import { fieldSteps } from "../../schema/index.ts";
import {
  type ApplyNode,
  type FieldChange,
  fieldDiff,
  hasRefusals,
  isProvisionedObject,
  mergedWith,
  type OrderedComponent,
  type Plan,
  type PlanNode,
  recordOfObject,
} from "../../plan/index.ts";
import type { CliContext } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { OutputFormat } from "../output-flag.ts";
import { report } from "../report.ts";
import { desiredState } from "../source/desired-state.ts";
import type { Source } from "../source/read-source.ts";
import type { PlannedChange } from "../views/plan-view.ts";

export interface PlanSourceFlags {
  readonly inventoryPolicy: InventoryPolicy;
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly output: OutputFormat;
}

/** What an apply of a source would do; nothing is written. */
export async function planSource(
  context: CliContext,
  flags: PlanSourceFlags,
  {
    cluster,
    namespace,
    ahead,
  }: {
    readonly cluster: Cluster;
    readonly namespace: string;
    readonly ahead?: ListsAhead | undefined;
  },
  { group, source }: { readonly group: GroupReference; readonly source: Source },
  warn = (warnings: readonly Diagnostic[]): void => {
    report(context, warnings, flags.output);
  },
): Promise<{
  readonly plan: Plan | undefined;
  readonly planned: readonly PlannedChange[];
  readonly components: readonly OrderedComponent[];
}> {
  const { objects, components, invalid, warnings, program, close } = await desiredState(
    context,
    cluster,
    source,
    namespace,
    group,
    { ahead },
  );
  warn(warnings);
  try {
    const { plan } = await applyGroup({
      cluster,
      group,
      desired: objects,
      invalid,
      components,
      program,
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      reconcileTimeoutMs: 0,
      pruneTimeoutMs: 0,
      propagationPolicy: "Background",
      waits: false,
      dryRun: true,
      holder: "",
      leaseWaitMs: 0,
      emit: (event) => {
        if (event.type !== "warning") return;
        const { code, severity, summary, detail, hint, subject } = event;
        warn([{ code, severity, summary, detail, hint, subject }]);
      },
      signal: new AbortController().signal,
      ahead,
    });
    return {
      plan,
      planned: await describePlan(cluster, plan, flags),
      components: components ?? [],
    };
  } finally {
    await close?.();
  }
}

/** How a command ends that only shows a plan: as the apply would, as far as that is known. */
export function planCode(plan: Plan | undefined, planned: readonly PlannedChange[]): ExitCode {
  if (planned.some(({ refusal }) => refusal !== undefined)) return exitCode.failed;
  return plan !== undefined && hasRefusals(plan) ? exitCode.refused : exitCode.success;
}

/** A plan with the fields that change, by the server's own dry run. */
export function describePlan(
  cluster: Cluster,
  plan: Plan | undefined,
  options: { readonly fieldManager: string; readonly forceConflicts: boolean },
): Promise<readonly PlannedChange[]> {
  const nodes = [...(plan?.nodes.values() ?? [])];
  return Promise.all(nodes.map((node) => describeNode(cluster, node, options)));
}

/** The fields of an object that a program keeps secret. */
export function secretFields(resource: ApplyNode["resource"]): readonly FieldPath[] {
  return (resource?.options.secret ?? []).map(fieldSteps);
}

/** The fields for whose sake an object is replaced, with the values of Secrets masked. */
function replacedFields({
  object,
  live,
  replacement,
  resource,
}: ApplyNode): readonly FieldChange[] {
  const { before, after } = maskSecretsPair(live, object, secretFields(resource));
  return (replacement?.because ?? []).flatMap((field) => {
    const path = fieldSteps(field);
    const only = (value: unknown): JsonValue =>
      path.reduceRight<JsonValue>(
        (inner, step) => ({ [String(step)]: inner }),
        (fieldAt(value, ...path) ?? null) as JsonValue,
      );
    return fieldDiff(only(before ?? {}), only(after ?? {}));
  });
}

/** What changes for a provider, with the values of secret inputs masked. */
function inputChanges({ object, live }: ApplyNode): readonly FieldChange[] {
  const wanted = recordOfObject(object);
  const before = live === undefined ? undefined : recordOfObject(live);
  const secret = new Set(wanted?.spec.secret);
  const masked = (inputs: JsonObject = {}): JsonObject =>
    Object.fromEntries(
      Object.entries(inputs).map(([key, value]) => [key, secret.has(key) ? maskedValue : value]),
    );
  return fieldDiff(masked(before?.status?.inputs), masked(wanted?.spec.inputs));
}

/** What changes as far as it is known: of what the program gives, where it differs from what is there. */
function deferredChanges({ object, live, resource }: ApplyNode): readonly FieldChange[] {
  const { before, after } = maskSecretsPair(live, object, secretFields(resource));
  return fieldDiff(onlyGiven(before, after) ?? {}, (after ?? object) as unknown as JsonValue);
}

function onlyGiven(found: unknown, given: unknown): JsonValue | undefined {
  if (Array.isArray(found) && Array.isArray(given))
    return found.map((inner, index) => onlyGiven(inner, given[index]) ?? null);
  if (!isJsonObject(found) || !isJsonObject(given)) return found as JsonValue | undefined;
  return Object.fromEntries(
    Object.keys(given).flatMap((key) =>
      found[key] === undefined ? [] : [[key, onlyGiven(found[key], given[key]) ?? null]],
    ),
  );
}

/**
 * What becomes of an object whose fields client-side `kubectl apply` left: they are taken over before the
 * apply, which no dry run can do, and those that are not wished for go.
 */
async function afterTakeOver(
  cluster: Cluster,
  { object, filled = object, live, resource }: ApplyNode,
  manager: string,
): Promise<JsonValue | undefined> {
  const managedFields = live === undefined ? undefined : takenOver(live, manager);
  if (live === undefined || managedFields === undefined) return undefined;
  const { schemaOf } = await clusterSchemas(cluster, [object]);
  const schema = schemaOf(object.apiVersion, object.kind);
  if (schema === undefined) return undefined;
  const before = { ...live, metadata: { ...live.metadata, managedFields } };
  const after = mergedWith(filled, before, schema, manager);
  return after === undefined
    ? undefined
    : changesBetween(live, after as unknown as KubernetesObject, secretFields(resource)).after;
}

async function describeNode(
  cluster: Cluster,
  node: PlanNode,
  options: { readonly fieldManager: string; readonly forceConflicts: boolean },
): Promise<PlannedChange> {
  if (node.kind !== "apply" || node.action !== "update") return { node, changes: [] };
  if (isProvisionedObject(node.object)) return { node, changes: inputChanges(node) };
  // What is filled in from other objects is known only when they are there.
  if (node.mutations.length > 0 && node.filled === undefined)
    return { node: { ...node, isDeferred: true }, changes: [] };
  // The server would refuse the dry run of what must be replaced.
  if (node.replacement !== undefined) return { node, changes: replacedFields(node) };
  // The server can make nothing of an object with words in the places of values.
  if (node.isDeferred === true) return { node, changes: deferredChanges(node) };
  try {
    const { before, after } = await changesOf(cluster, node.filled ?? node.object, node.live, {
      manager: options.fieldManager,
      force: options.forceConflicts || node.takesOver,
      secret: secretFields(node.resource),
    });
    const taken = await afterTakeOver(cluster, node, options.fieldManager);
    return { node, changes: fieldDiff(before, taken ?? after) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const isAnnotated =
      node.object.metadata.annotations?.["keelson.dev/on-immutable"] === "recreate";
    if (isAnnotated && isApiError(error, "Invalid")) {
      const because = (error.status.details?.causes ?? []).map(({ field = "" }) => field);
      return { node: { ...node, replacement: { because, deletesFirst: true } }, changes: [] };
    }
    const [first] = error.diagnostics;
    const hint = isApiError(error, "Conflict") ? conflictHint : first?.hint;
    return {
      node,
      changes: [],
      refusal: maskFilledText(
        [first?.summary, first?.detail, hint].filter((part) => part !== undefined).join("\n"),
        node.filled,
      ),
    };
  }
}
