import { type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { fieldAt, isJsonObject, type JsonObject } from "../json/index.ts";
import type { FieldPath, KubernetesObject, SourcedObject } from "../objects/index.ts";
import { fieldSteps } from "../schema/index.ts";
import {
  type ApplyNode,
  changedInputs,
  compareRecords,
  deferredIn,
  isFieldSettled,
  isProvisionedObject,
  knownAfterApply,
  type Plan,
  type ProgramPlanInput,
  type ProvisionedRecord,
  recordOfObject,
  type Replacement,
} from "../plan/index.ts";
import { canBeCreated } from "./can-be-created.ts";
import { hidingProvider, secretsIn } from "./hiding-provider.ts";
import type { PrepareOptions } from "./observe-group.ts";
import type { PlanContext } from "./plan-passes.ts";
import type { Provider, ProviderContext } from "../providers/index.ts";
import {
  type DeferredValue,
  isDeferredValue,
  type KnownOutputs,
  type ProgramResource,
  withSecretPaths,
} from "../resources/index.ts";
import {
  fillObject,
  keyOfObject,
  knownOutputs,
  previewObject,
  type ProgramRun,
  sourcesOf,
  withSecrets,
} from "./program-run.ts";

interface PreparedProgram {
  /** Objects with every value that is known now, and words for the others. */
  readonly desired: readonly SourcedObject[];
  readonly input: ProgramPlanInput;
}

/** Fills in what earlier applies made known, as far as it still holds. */
export async function prepareProgram(
  { cluster, program }: { readonly cluster: Cluster; readonly program?: ProgramRun | undefined },
  live: ReadonlyMap<string, KubernetesObject>,
): Promise<PreparedProgram | undefined> {
  if (program === undefined) return undefined;
  const names = program.desired.objects.flatMap(({ object }) => sourcesOf(object));
  const outputs = await knownOutputs(cluster, program, names, (key) =>
    Promise.resolve(live.get(key)),
  );
  const unresolved = new Set<string>();
  const desired: SourcedObject[] = [];
  for (const sourced of program.desired.objects) {
    const object = await fillIfKnown(program, sourced.object, outputs);
    if (object === undefined) unresolved.add(keyOfObject(sourced.object));
    const key = keyOfObject(sourced.object);
    const ignored = program.desired.resources.get(key)?.options.ignoreChanges ?? [];
    const wanted = object ?? previewObject(sourced.object);
    desired.push({ ...sourced, object: withIgnored(wanted, live.get(key), ignored) });
  }
  const resources = withRecordedSecrets(program.desired.resources, live);
  return { desired, input: { desired: { ...program.desired, resources }, unresolved } };
}

/** Providers say of outputs that they are secret; what others take of these is not shown either. */
function withRecordedSecrets(
  resources: ReadonlyMap<string, ProgramResource>,
  live: ReadonlyMap<string, KubernetesObject>,
): ReadonlyMap<string, ProgramResource> {
  const recorded = [...resources].map(([key, resource]) => {
    const found = live.get(key);
    const { secret = [] } = (found === undefined ? undefined : recordOfObject(found))?.spec ?? {};
    return secret.length === 0
      ? resource
      : {
          ...resource,
          options: { ...resource.options, secret: [...(resource.options.secret ?? []), ...secret] },
        };
  });
  const hiding = withSecretPaths(recorded);
  return new Map(
    [...resources].map(([key, resource], index) => [key, hiding[index] ?? resource] as const),
  );
}

/** What does not have the value yet that others want of it may have it once it is applied. */
async function fillIfKnown(
  program: ProgramRun,
  object: KubernetesObject,
  outputs: KnownOutputs,
): Promise<KubernetesObject | undefined> {
  try {
    return await fillObject(program, object, outputs);
  } catch (error) {
    const isOpen =
      error instanceof DiagnosticError &&
      error.diagnostics.every(({ code }) => code === "bundle.unresolved");
    if (!isOpen) throw error;
    return undefined;
  }
}

/** The object with fields as they are, of which the program wants no say after they were created. */
function withIgnored(
  wanted: KubernetesObject,
  live: KubernetesObject | undefined,
  fields: readonly string[],
): KubernetesObject {
  if (live === undefined || fields.length === 0) return wanted;
  const isRecord = isProvisionedObject(wanted);
  return fields.reduce((current, field) => {
    const path = fieldSteps(field);
    const from = isRecord ? ["status", "inputs", ...path] : path;
    const to = isRecord ? ["spec", "inputs", ...path] : path;
    const found = fieldAt(live, ...withIndices(live, from));
    return withValueAt(current, withIndices(current, to), found) as KubernetesObject;
  }, wanted);
}

/** Plans name the items of a list by their names; each version of it may have them elsewhere. */
function withIndices(value: unknown, path: FieldPath): FieldPath {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const name = typeof step === "string" ? /^name=(.*)$/.exec(step)?.[1] : undefined;
    const list = name === undefined ? undefined : fieldAt(value, ...steps);
    steps.push(
      Array.isArray(list) ? list.findIndex((item) => fieldAt(item, "name") === name) : step,
    );
  }
  return steps;
}

/** A copy with another value at a path, or without one. */
function withValueAt(value: unknown, path: FieldPath, after: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return after;
  if (typeof step === "number")
    return Array.isArray(value) && value[step] !== undefined
      ? value.with(step, withValueAt(value[step], rest, after))
      : value;
  if (!isJsonObject(value) && (value !== undefined || after === undefined)) return value;
  const before = isJsonObject(value) ? value : {};
  const inner = withValueAt(before[step], rest, after);
  const { [step]: _dropped, ...others } = before;
  return inner === undefined ? others : { ...others, [step]: inner };
}

/**
 * What depends on something that is going to change is not known before that has happened; and
 * providers say which changes of their resources cannot be made in place.
 */
export async function settleProgram(plan: Plan, context: PlanContext): Promise<Plan> {
  const { options, observed } = context;
  const { reads, manager } = options;
  const { program } = options.desired;
  if (program === undefined) return plan;
  const nodes = new Map(plan.nodes);
  for (const key of plan.graph.order()) {
    const node = nodes.get(key);
    const object = program.desired.byKey.get(key);
    if (node?.kind !== "apply" || object === undefined) continue;
    const isOpenValue = ({ from }: DeferredValue): boolean =>
      from.some(({ resource, path }) => {
        const source = nodes.get(program.desired.keyOf.get(resource) ?? "");
        return !isFieldSettled(source, path, observed.schemaOf, manager);
      });
    const isOpen = deferredIn(object).some(isOpenValue);
    const open: ApplyNode = isOpen
      ? {
          ...node,
          object: isProvisionedObject(object)
            ? node.object
            : withOpen(object, node.object, isOpenValue),
          isDeferred: true,
          action: node.action === "unchanged" ? "update" : node.action,
        }
      : node;
    const settled = isProvisionedObject(open.object)
      ? await withReplacement(reads, program, open, options.signal)
      : await withObjectReplacement(options, open);
    nodes.set(key, unlessProtected(settled));
  }
  return { ...plan, nodes };
}

/** The object with words in the places of values that may become others, and the rest as it is known. */
function withOpen(
  raw: unknown,
  known: KubernetesObject,
  isOpen: (value: DeferredValue) => boolean,
): KubernetesObject {
  const walk = (given: unknown, found: unknown): unknown => {
    if (isDeferredValue(given)) return isOpen(given) ? knownAfterApply : found;
    if (Array.isArray(given) && Array.isArray(found))
      return found.map((inner, index) => walk(given[index], inner));
    if (!isJsonObject(given) || !isJsonObject(found)) return found;
    return Object.fromEntries(
      Object.entries(found).map(([key, inner]) => [key, walk(given[key], inner)]),
    );
  };
  return walk(raw, known) as KubernetesObject;
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
async function withObjectReplacement(
  { reads, manager, forceConflicts }: PrepareOptions,
  node: ApplyNode,
): Promise<ApplyNode> {
  const { live, object, resource, takesOver } = node;
  if (node.action !== "update" || live === undefined || node.isDeferred === true) return node;
  // An object of a bundle is replaced only where its annotation asks for it, as one of YAML is.
  if (resource?.objectName === undefined) return node;
  const asked = (resource.options.replaceOnChanges ?? []).filter(
    (field) =>
      JSON.stringify(fieldAt(object, ...fieldSteps(field))) !==
      JSON.stringify(fieldAt(live, ...fieldSteps(field))),
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

async function withReplacement(
  cluster: Cluster,
  { providers }: ProgramRun,
  node: ApplyNode,
  signal: AbortSignal,
): Promise<ApplyNode> {
  if (node.action !== "update" || node.live === undefined) return node;
  const whole = await withSecrets(cluster, node.live);
  // Secret inputs could not be compared before.
  if (node.isDeferred !== true && compareRecords(node.object, whole) === "same")
    return { ...node, action: "unchanged" };
  const before = recordOfObject(whole);
  const wanted = recordOfObject(node.object);
  if (before?.status?.id === undefined || wanted === undefined) return node;
  const old = before.status.inputs ?? {};
  if (changedInputs(old, wanted.spec.inputs).length === 0) return node;
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
  const changed = changedInputs(old, inputs).filter((field) => asked.includes(field));
  const because = [...new Set([...(diff?.replace ?? []), ...changed])];
  if (because.length === 0) return undefined;
  return {
    because,
    deletesFirst: resource?.options.deleteBeforeReplace ?? diff?.deleteBeforeReplace ?? false,
  };
}
