import { conflictHint } from "../apply/index.ts";
import { type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { takenOver } from "../merge/index.ts";
import { changesBetween, changesOf, clusterSchemas } from "../observe/index.ts";
import { fieldAt, isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import {
  type FieldPath,
  type KubernetesObject,
  maskedValue,
  maskFilledText,
  maskSecretsPair,
} from "../objects/index.ts";
import { fieldSteps } from "../schema/index.ts";
import {
  type ApplyNode,
  type FieldChange,
  fieldDiff,
  hasOpenHoles,
  isProvisionedObject,
  mergedWith,
  type Plan,
  type PlanNode,
  recordOfObject,
} from "../plan/index.ts";
import { withSkipped } from "./skipped-changes.ts";

/** One node of a plan, with the fields that change, for people. */
export interface PlannedChange {
  readonly node: PlanNode;
  readonly changes: readonly FieldChange[];
  /** Why the server would refuse it. */
  readonly refusal?: string | undefined;
}

export interface DescribeOptions {
  readonly manager: string;
  readonly forceConflicts: boolean;
}

/** A plan with the fields that change, by the server's own dry run, and with what a refusal holds up. */
export async function describePlan(
  cluster: Cluster,
  plan: Plan | undefined,
  options: DescribeOptions,
): Promise<readonly PlannedChange[]> {
  if (plan === undefined) return [];
  const described = await Promise.all(
    [...plan.nodes.values()].map((node) => describeNode(cluster, node, options)),
  );
  return withSkipped(described, plan);
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
  { object, live, resource }: ApplyNode,
  manager: string,
): Promise<JsonValue | undefined> {
  const managedFields = live === undefined ? undefined : takenOver(live, manager);
  if (live === undefined || managedFields === undefined) return undefined;
  const { schemaOf } = await clusterSchemas(cluster, [object]);
  const schema = schemaOf(object.apiVersion, object.kind);
  if (schema === undefined) return undefined;
  const before = { ...live, metadata: { ...live.metadata, managedFields } };
  const after = mergedWith(object, before, schema, manager);
  return after === undefined
    ? undefined
    : changesBetween(live, after as unknown as KubernetesObject, secretFields(resource)).after;
}

async function describeNode(
  cluster: Cluster,
  node: PlanNode,
  options: DescribeOptions,
): Promise<PlannedChange> {
  if (node.kind !== "apply" || node.action !== "update") return { node, changes: [] };
  if (isProvisionedObject(node.object)) return { node, changes: inputChanges(node) };
  // The server would refuse the dry run of what must be replaced.
  if (node.replacement !== undefined) return { node, changes: replacedFields(node) };
  // The server can make nothing of an object with words in the places of values.
  if (hasOpenHoles(node)) return { node, changes: deferredChanges(node) };
  try {
    const { before, after } = await changesOf(cluster, node.object, node.live, {
      manager: options.manager,
      force: options.forceConflicts || node.takesOver,
      secret: secretFields(node.resource),
    });
    const taken = await afterTakeOver(cluster, node, options.manager);
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
        node.object,
      ),
    };
  }
}
