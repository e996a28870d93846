import { type Cluster, isApiError } from "../cluster/index.ts";
import { changedKeys, fieldAt, type JsonObject, stringifyJson } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import {
  type ApplyNode,
  compareRecords,
  hasOpenHoles,
  isProvisionedObject,
  type ProvisionedRecord,
  recordOfObject,
  type Replacement,
} from "../plan/index.ts";
import type { Provider, ProviderContext } from "../providers/index.ts";
import { fieldSteps } from "../schema/index.ts";
import { canBeCreated } from "./can-be-created.ts";
import { hidingProvider, secretsIn } from "./hiding-provider.ts";
import type { PrepareOptions } from "./observe-group.ts";
import { type ProgramRun, withSecrets } from "./program-run.ts";

/** Says of a resource of a program whether its change needs a new one. */
export async function withReplacement(
  options: PrepareOptions,
  node: ApplyNode,
): Promise<ApplyNode> {
  const { program } = options.desired;
  if (program === undefined) return node;
  const settled = isProvisionedObject(node.object)
    ? await withNewRecord(options.reads, program, node, options.signal)
    : await withNewObject(options, node);
  return unlessProtected(settled);
}

/** What is protected is not replaced either: it stays as it is. */
function unlessProtected(node: ApplyNode): ApplyNode {
  if (node.replacement === undefined || node.resource?.options.protect !== true) return node;
  const message = `it is protected, and would be ${node.message ?? "replaced"}`;
  return { ...node, action: "skip", reason: "Protected", message };
}

/**
 * An object whose fixed fields change must be made anew, and so must one of which the program says so.
 * Its name is taken as long as the old one is there: that goes first.
 */
async function withNewObject(
  { reads, manager, forceConflicts }: PrepareOptions,
  node: ApplyNode,
): Promise<ApplyNode> {
  const { live, object, resource, takesOver } = node;
  if (node.action !== "update" || live === undefined || hasOpenHoles(node)) return node;
  // An object of a bundle is replaced only where its annotation asks for it, as one of YAML is.
  if (resource?.objectName === undefined) return node;
  const asked = (resource.options.replaceOnChanges ?? []).filter(
    (field) =>
      stringifyJson(fieldAt(object, ...fieldSteps(field))) !==
      stringifyJson(fieldAt(live, ...fieldSteps(field))),
  );
  const because =
    asked.length > 0
      ? asked
      : await fixedFields(reads, object, { manager, force: forceConflicts || takesOver });
  if (because.length === 0) return node;
  const replacement: Replacement = { because, deletesFirst: true };
  return { ...node, replacement, message: `replaced because of ${because.join(", ")}` };
}

/**
 * The fields that the server will not change, by its own dry runs: it refuses the change, and would
 * take the same object under another name.
 */
async function fixedFields(
  cluster: Cluster,
  object: KubernetesObject,
  options: { readonly manager: string; readonly force: boolean },
): Promise<readonly string[]> {
  const { manager: fieldManager, force } = options;
  try {
    await cluster.apply(object, { fieldManager, dryRun: true, force });
    return [];
  } catch (error) {
    if (!isApiError(error)) throw error;
    // Behind a conflict there may be more.
    if (isApiError(error, "Conflict") && !force)
      return fixedFields(cluster, object, { ...options, force: true });
    if (!isApiError(error, "Invalid")) return [];
    if (!(await canBeCreated(cluster, object, fieldManager))) return [];
    const causes = error.status.details?.causes ?? [];
    return [...new Set(causes.map(({ field = "" }) => field))];
  }
}

async function withNewRecord(
  cluster: Cluster,
  { providers }: ProgramRun,
  node: ApplyNode,
  signal: AbortSignal,
): Promise<ApplyNode> {
  if (node.action !== "update" || node.live === undefined) return node;
  const whole = await withSecrets(cluster, node.live);
  // Secret inputs could not be compared before.
  if (!hasOpenHoles(node) && compareRecords(node.object, whole) === "same")
    return { ...node, action: "unchanged" };
  const before = recordOfObject(whole);
  const wanted = recordOfObject(node.object);
  if (before?.status?.id === undefined || wanted === undefined) return node;
  const old = before.status.inputs ?? {};
  if (changedKeys(old, wanted.spec.inputs).length === 0) return node;
  const provider = hidingProvider(
    await providers.provider(wanted.spec.provider, signal),
    [before, wanted].flatMap(secretsIn),
  );
  const replacement = await replacementOf(provider, node, { old, wanted, signal });
  if (replacement === undefined) return node;
  return { ...node, replacement, message: `replaced because of ${replacement.because.join(", ")}` };
}

/** Whether a resource must be made anew to have other inputs: its provider, or the program, says so. */
export async function replacementOf(
  provider: Provider,
  { resource }: ApplyNode,
  {
    old,
    wanted,
    signal,
  }: {
    readonly old: JsonObject;
    readonly wanted: ProvisionedRecord;
    readonly signal: AbortSignal;
  },
): Promise<Replacement | undefined> {
  const { type, name, inputs } = wanted.spec;
  const context: ProviderContext = { type, name, signal, log: () => {} };
  const diff = await provider.diff?.(old, inputs, context);
  const asked = resource?.options.replaceOnChanges ?? [];
  const changed = changedKeys(old, inputs).filter((field) => asked.includes(field));
  const because = [...new Set([...(diff?.replace ?? []), ...changed])];
  if (because.length === 0) return undefined;
  return {
    because,
    deletesFirst: resource?.options.deleteBeforeReplace ?? diff?.deleteBeforeReplace ?? false,
  };
}
