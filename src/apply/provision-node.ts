import { durationMs, type KubernetesObject } from "../objects/index.ts";
import { changedKeys, type JsonObject } from "../json/index.ts";
import { type Diagnostic, DiagnosticError, fail, shellWord } from "../diagnostics/index.ts";
import {
  type ApplyNode,
  type ProvisionedRecord,
  type ProvisionedStatus,
  recordOfObject,
} from "../plan/index.ts";
import {
  type Created,
  type Provider,
  type ProviderContext,
  UnusableAnswerError,
} from "../providers/index.ts";
import { hidingProvider, replacementOf, secretsIn, withSecrets } from "../prepare/index.ts";
import type { NodeContext } from "./run-plan.ts";
import { saveRecord } from "./save-record.ts";

/** What a provider made of a resource. */
export interface Provisioned {
  readonly object: KubernetesObject;
  readonly change: "created" | "configured" | "unchanged" | "recreated";
}

/** Lets a provider make, change or replace one resource, and remembers each step before and after it. */
export async function provisionNode(
  node: ApplyNode,
  wantedObject: KubernetesObject,
  context: NodeContext,
): Promise<Provisioned> {
  const wanted = requireRecord(wantedObject);
  const live = node.live === undefined ? undefined : await withSecrets(context.cluster, node.live);
  const known = live === undefined ? undefined : recordOfObject(live);
  const provider = await requireProvider(context, wanted, known);
  const outputs = known?.status?.outputs;
  const isNew = live === undefined;
  const begun: Step = { wantedObject, isNew, wanted, provider, context, outputs };
  const { status, secrets = [] } = known === undefined ? noRecord : await settle(begun, known);
  const before = await withoutDeleted(begun, status);
  const step = withSecret(begun, [...(known?.spec.secret ?? []), ...secrets]);
  if (before?.id === undefined) return create(step, before);
  const made = { ...before, id: before.id };
  const isFound = status !== known?.status;
  const changed = changedKeys(made.inputs ?? {}, wanted.spec.inputs);
  if (changed.length === 0 && made.phase === "Ready" && (made.drifted ?? []).length === 0) {
    const object = await save(step, made);
    return { object, change: isFound ? "created" : "unchanged" };
  }
  // The plan knew nothing of what an interrupted run had made.
  const replacement = isFound
    ? await replacementOf(provider, node, {
        old: made.inputs ?? {},
        wanted,
        signal: context.signal,
      })
    : node.replacement;
  return replacement === undefined
    ? update(step, made)
    : replace(step, made, replacement.deletesFirst);
}

/**
 * What is there of a resource. A run that was interrupted while it made one left nobody who knows whether its
 * provider had done so, and with which id: it is looked for by the inputs of that run, whatever is wanted now, and
 * recorded before anything else happens to it.
 */
async function settle(step: Step, known: ProvisionedRecord): Promise<Settled> {
  const { phase } = known.status ?? {};
  if (phase !== "Creating" && phase !== "Replacing") return { status: known.status };
  if (step.provider.find === undefined) return refuseOrphan(known);
  const { status, found } = await findMade(step, known, known.status ?? { phase });
  if (found === undefined || found.id === status.id) return { status };
  const old = status.id === undefined ? [] : [{ id: status.id, inputs: status.inputs ?? {} }];
  const replaced = [...(status.replaced ?? []), ...old];
  await saveMade({ ...step, wanted: known }, found, replaced);
  const { secrets = [], id, outputs } = found;
  return { status: { phase: "Ready", id, outputs, inputs: known.spec.inputs, replaced }, secrets };
}

/**
 * What was made by the inputs of a record. An older one just like it, which was replaced and is still to be deleted,
 * may be found in its place: it goes now, or what was made would never be found.
 */
async function findMade(
  step: Step,
  known: ProvisionedRecord,
  status: ProvisionedStatus,
): Promise<{ readonly status: ProvisionedStatus; readonly found?: Created | undefined }> {
  const found = await step.provider.find?.(known.spec.inputs, providerContext(step));
  const { replaced = [] } = status;
  const others = replaced.filter(({ id }) => id !== found?.id);
  if (found === undefined || others.length === replaced.length) return { status, found };
  await step.provider.delete(found.id, await writingContext(step, "delete"));
  const rest = { ...status, replaced: others };
  await save({ ...step, wanted: known }, rest);
  return findMade(step, known, rest);
}

/** What a run began to delete may be gone: then it is to be made anew. */
async function withoutDeleted(
  step: Step,
  status: ProvisionedStatus | undefined,
): Promise<ProvisionedStatus | undefined> {
  if (status?.phase !== "Deleting" && status?.phase !== "Replacing") return status;
  const { id, replaced } = status;
  if (id === undefined) return status;
  const outputs = await step.provider.read(id, providerContext(step));
  return outputs === undefined ? { phase: "Failed", replaced } : status;
}

const noRecord: Settled = {};

interface Settled {
  readonly status?: ProvisionedStatus | undefined;
  /** Outputs that are secret, as the provider says. */
  readonly secrets?: readonly string[];
}

/** A step whose record has more secrets. */
function withSecret(step: Step, more: readonly string[]): Step {
  const { wanted } = step;
  const secret = [...new Set([...(wanted.spec.secret ?? []), ...more])];
  return secret.length === 0
    ? step
    : { ...step, wanted: { ...wanted, spec: { ...wanted.spec, secret } } };
}

interface Step {
  /** What was recorded last, for providers whose resources live in their records only. */
  readonly outputs?: JsonObject | undefined;
  readonly wantedObject: KubernetesObject;
  /** Whether the plan found no record: then nobody's is written over. */
  readonly isNew?: boolean | undefined;
  readonly wanted: ProvisionedRecord;
  readonly provider: Provider;
  readonly context: NodeContext;
}

type Made = ProvisionedStatus & { readonly id: string };

async function create(step: Step, before: ProvisionedStatus | undefined): Promise<Provisioned> {
  const { provider, wanted, context } = step;
  const { inputs } = wanted.spec;
  // A creation that never began must not look like one that was cut off.
  if (context.signal.aborted) refuseInterrupted(wanted);
  await save(step, { phase: "Creating", replaced: before?.replaced });
  try {
    const made = await provider.create(inputs, await writingContext(step, "create"));
    return { object: await saveMade(step, made, before?.replaced), change: "created" };
  } catch (error) {
    if (await keepCreated(step, error, before?.replaced)) throw error;
    if (!context.signal.aborted && error instanceof DiagnosticError && wasRefused(error))
      await save(step, { phase: "Failed", message: messageOf(error), replaced: before?.replaced });
    throw error;
  }
}

async function update(step: Step, before: Made): Promise<Provisioned> {
  const { provider, wanted } = step;
  const { inputs } = wanted.spec;
  await save(step, { ...before, phase: "Updating" });
  try {
    const outputs = await provider.update(
      before.id,
      before.inputs ?? {},
      inputs,
      await writingContext(step, "update"),
    );
    const status = {
      ...before,
      phase: "Ready" as const,
      outputs,
      inputs,
      message: undefined,
      drifted: undefined,
    };
    return { object: await save(step, status), change: "configured" };
  } catch (error) {
    // What was good before is kept: the next run compares with that.
    await save(step, { ...before, phase: "Failed", message: messageOf(error) });
    throw error;
  }
}

async function replace(step: Step, before: Made, deletesFirst: boolean): Promise<Provisioned> {
  const { provider, wanted } = step;
  const { inputs } = wanted.spec;
  if (deletesFirst) {
    await save(step, { ...before, phase: "Replacing" });
    await provider.delete(before.id, await writingContext(step, "delete"));
    const made = await create(step, { phase: "Replacing", replaced: before.replaced });
    return { ...made, change: "recreated" };
  }
  const replaced = [...(before.replaced ?? []), { id: before.id, inputs: before.inputs ?? {} }];
  if (step.context.signal.aborted) refuseInterrupted(wanted);
  await save(step, { ...before, phase: "Replacing" });
  try {
    const made = await provider.create(inputs, await writingContext(step, "create"));
    return { object: await saveMade(step, made, replaced), change: "recreated" };
  } catch (error) {
    await keepCreated(step, error, replaced);
    throw error;
  }
}

/** Something was made, although nobody can say what: it must not be made again. Says whether that is so. */
async function keepCreated(
  step: Step,
  error: unknown,
  replaced: ProvisionedStatus["replaced"],
): Promise<boolean> {
  if (!(error instanceof UnusableAnswerError) || error.createdId === undefined) return false;
  const id = error.createdId;
  const message = messageOf(error);
  try {
    // With what it was made of: another one just like it could not be told from it.
    await save(step, { phase: "Failed", id, inputs: step.wanted.spec.inputs, message, replaced });
  } catch (cause) {
    throw new DiagnosticError([unrecorded(step.wanted.spec.name, id, cause)]);
  }
  return true;
}

/** Deletes what was replaced, now that nothing refers to it any more. */
export async function deleteReplaced(
  object: KubernetesObject,
  context: NodeContext,
): Promise<KubernetesObject> {
  const whole = await withSecrets(context.cluster, object);
  const record = recordOfObject(whole);
  const replaced = record?.status?.replaced ?? [];
  if (record?.status === undefined || replaced.length === 0) return object;
  const provider = await requireProvider(context, record);
  const { outputs } = record.status;
  const step: Step = { wantedObject: whole, wanted: record, provider, context, outputs };
  let status: ProvisionedStatus = record.status;
  let saved = object;
  for (const { id } of replaced) {
    await provider.delete(id, await writingContext(step, "delete"));
    status = { ...status, replaced: (status.replaced ?? []).filter((each) => each.id !== id) };
    saved = await save(step, status);
  }
  return saved;
}

/** Lets a provider delete a resource whose record leaves. */
export async function unprovision(object: KubernetesObject, context: NodeContext): Promise<void> {
  const whole = await withSecrets(context.cluster, object);
  const record = recordOfObject(whole);
  if (record?.status === undefined || record.spec.deletionPolicy === "retain") return;
  if (record.status.phase !== "Creating" && idsOf(record.status).length === 0) return;
  const provider = await requireProvider(context, record);
  const { outputs } = record.status;
  const begun: Step = { wantedObject: whole, wanted: record, provider, context, outputs };
  const { status = record.status, secrets = [] } = await settle(begun, record);
  const step = withSecret(begun, secrets);
  const ids = idsOf(status);
  if (ids.length === 0) return;
  await save(step, { ...status, phase: "Deleting" });
  for (const id of ids) await provider.delete(id, await writingContext(step, "delete"));
}

/** All that a record knows of. */
function idsOf({ id, replaced = [] }: ProvisionedStatus): readonly string[] {
  return [...replaced.map((each) => each.id), ...(id === undefined ? [] : [id])];
}

function save(step: Step, status: ProvisionedStatus): Promise<KubernetesObject> {
  const { wantedObject, wanted, context, isNew } = step;
  const record = { spec: wanted.spec, status };
  return saveRecord(context.cluster, wantedObject, record, isNew && status.phase === "Creating");
}

/**
 * Remembers what was made; which outputs are secret, its provider may say as well. What cannot be remembered, because
 * the run has lost its Lease or the server is gone, is told: nobody else knows the id.
 */
async function saveMade(
  step: Step,
  { id, outputs, secrets = [] }: Created,
  replaced: ProvisionedStatus["replaced"],
): Promise<KubernetesObject> {
  const { spec } = step.wanted;
  const status = { phase: "Ready" as const, id, outputs, inputs: spec.inputs, replaced };
  try {
    return await save(withSecret(step, secrets), status);
  } catch (error) {
    throw new DiagnosticError([unrecorded(spec.name, id, error)]);
  }
}

function unrecorded(name: string, id: string, cause: unknown): Diagnostic {
  return {
    code: "program.unrecorded-create",
    severity: "error",
    summary: `${name} was created with the id ${JSON.stringify(id)}, which could not be recorded: ${messageOf(cause)}`,
    hint: `Take it over when nobody else writes: keelson import ${shellWord(name)} ${shellWord(id)}.`,
    subject: name,
    cause,
  };
}

/** For what changes something: only whoever still holds the Lease of the inventory may do so. */
async function writingContext(
  step: Step,
  operation: "create" | "update" | "delete",
): Promise<ProviderContext> {
  await step.context.fence?.();
  return providerContext(step, operation);
}

function providerContext(
  { wanted, context, outputs }: Step,
  operation?: "create" | "update" | "delete",
): ProviderContext {
  const { type, name, timeouts } = wanted.spec;
  const limit = operation === undefined ? undefined : timeouts?.[operation];
  const timeoutMs = limit === undefined ? undefined : durationMs(limit);
  return {
    type,
    name,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(outputs === undefined ? {} : { outputs }),
    // What is under way may still be finished: a half-made resource is worse than one that is a little late.
    signal: context.signal,
    log: (line) => {
      context.emit({ type: "log", resource: name, message: line });
    },
  };
}

function requireRecord(object: KubernetesObject): ProvisionedRecord {
  const record = recordOfObject(object);
  if (record === undefined) throw new Error(`${object.metadata.name ?? ""} is no record`);
  return record;
}

async function requireProvider(
  { program, signal }: NodeContext,
  record: ProvisionedRecord,
  known?: ProvisionedRecord,
): Promise<Provider> {
  const { spec } = record;
  if (program === undefined) {
    return fail({
      code: "program.provider-needed",
      summary: `${spec.name} was made by the provider of ${spec.provider}, which is not at hand here`,
      hint: "run this in the directory of the program: keelson destroy",
    });
  }
  const secrets = [record, ...(known === undefined ? [] : [known])].flatMap(secretsIn);
  return hidingProvider(await program.providers.provider(spec.provider, signal), secrets);
}

function refuseInterrupted({ spec }: ProvisionedRecord): never {
  fail({
    code: "provider.cancelled",
    summary: `the creation of ${spec.name} was not begun, because the run was interrupted`,
    subject: spec.name,
  });
}

function refuseOrphan({ spec }: ProvisionedRecord): never {
  fail({
    code: "program.interrupted-create",
    summary: `the creation of ${spec.name} was interrupted, and its provider cannot tell whether it had happened`,
    hint: `look for it; then \`keelson import ${JSON.stringify(spec.name)} <id>\` takes it over, and --forget makes a new one`,
    subject: spec.name,
  });
}

/** Whether a provider said no, rather than being lost in the middle of it. */
function wasRefused(error: DiagnosticError): boolean {
  return error.diagnostics.some(({ code }) => code === "provider.failed");
}

function messageOf(error: unknown): string {
  if (error instanceof DiagnosticError) return error.diagnostics[0]?.summary ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
