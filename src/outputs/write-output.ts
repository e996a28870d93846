import { type Cluster, isApiError } from "../cluster/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { readinessRules } from "../readiness/index.ts";
import { findBinding, namedByBinding, writeBinding } from "./binding.ts";
import { chooseName } from "./choose-name.ts";
import { contentFields, type OutputContents } from "./output-contents.ts";
import { outputNaming, refused } from "./output-naming.ts";
import {
  holdsContents,
  isLeaving,
  outputObject,
  outputOfLabel,
  withContents,
} from "./output-object.ts";

/** What is needed of a cluster. */
export type OutputCluster = Pick<
  Cluster,
  "apply" | "create" | "delete" | "find" | "list" | "resource" | "update"
>;

export interface BindingOptions {
  /** The name of the claim unless given. */
  readonly name?: string | undefined;
  /** What else it is to say, such as its spec. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

export interface WriteOutputOptions {
  readonly cluster: OutputCluster;
  /** The claim as it is in the cluster. */
  readonly claim: KubernetesObject;
  /** The CustomResourceDefinition of the claim, with its annotations. */
  readonly definition: KubernetesObject;
  readonly contents: OutputContents;
  readonly binding?: BindingOptions | undefined;
  /** The field manager under which everything is written: the name of the controller. */
  readonly manager: string;
  /** A text that no other call gives, of lower-case letters and digits. */
  readonly random?: (() => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type OutputResult =
  | {
      readonly kind: "written";
      readonly output: KubernetesObject;
      readonly binding: KubernetesObject;
      /** Names of former outputs that are deleted, or go as soon as their users let them. */
      readonly leaving: readonly string[];
    }
  /** The user must change the claim or its definition; trying again is of no use before. */
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  /** The claim is being deleted; what belongs to it goes with it. */
  | { readonly kind: "claim-leaves" };

/**
 * Brings the output of a claim and the binding that names it to what they should be: first the output,
 * then the binding, and only then former outputs go. What is right already is not written.
 *
 * What it throws may be tried again.
 */
export async function writeOutput(options: WriteOutputOptions): Promise<OutputResult> {
  const { cluster, claim, contents, definition } = options;
  if (isLeaving(claim)) return { kind: "claim-leaves" };
  const rules = readinessRules(definition);
  const naming = outputNaming(claim, rules);
  if (naming.kind === "refused") return naming;
  const bound = rules.readyWhen.find((rule) => rule.kind === "exists");
  const { name: nameField } = rules.outputNames;
  if (bound === undefined || nameField === undefined) {
    const summary = "its definition does not say which kind of binding names its output, and where";
    const hint = "Add ReadyWhenExistsKind, ReadyWhenExistsVersion and OutputNameField to it.";
    return refused(claim, "outputs.no-binding", summary, hint);
  }
  const place = { apiVersion: bound.apiVersion, kind: bound.ownedKind, nameField };
  const [outputs, binding] = await Promise.all([
    outputsOf(cluster, claim, contents.kind),
    findBinding(options, place),
  ]);
  const fields = contentFields(contents);
  const candidates = outputs.filter((each) => each.kind === contents.kind && !isLeaving(each));
  const fitting = candidates.filter((each) => holdsContents(each, fields));
  const named = namedByBinding(binding, nameField);
  const name = chooseName(naming, claim, contents, fitting, named, options.random);
  const written = await writeObject(options, name, outputs);
  if (written.kind === "refused") return written;
  const { output } = written;
  const bindingNow = await writeBinding(options, place, binding, name);
  // From here on nobody learns a former name any more.
  const leaving = outputs.filter(
    (each) => each.kind !== output.kind || each.metadata.name !== name,
  );
  for (const former of leaving) await deleteOutput(options, former);
  return {
    kind: "written",
    output,
    binding: bindingNow,
    leaving: leaving.map(({ metadata }) => metadata.name ?? "").sort(),
  };
}

/** Everything that has been an output of this claim and is still there, of either kind. */
async function outputsOf(
  cluster: OutputCluster,
  { metadata: { namespace = "", uid = "" } }: KubernetesObject,
  own: string,
): Promise<readonly KubernetesObject[]> {
  const lists = await Promise.all(
    ["Secret", "ConfigMap"].map(async (kind) => {
      try {
        const selected = { namespace, labelSelector: `${outputOfLabel}=${uid}` };
        const { items } = await cluster.list({ apiVersion: "v1", kind }, selected);
        return items.map((item) => ({ ...item, apiVersion: "v1", kind }));
      } catch (error) {
        // Who never writes the other kind need not be allowed to read it.
        if (kind !== own && isApiError(error, "Forbidden")) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

type WrittenObject =
  | { readonly kind: "output"; readonly output: KubernetesObject }
  | Extract<OutputResult, { readonly kind: "refused" }>;

async function writeObject(
  { cluster, claim, contents, manager, signal }: WriteOutputOptions,
  name: string,
  outputs: readonly KubernetesObject[],
): Promise<WrittenObject> {
  const fields = contentFields(contents);
  const writing = { fieldManager: manager, signal };
  const live = outputs.find((each) => each.kind === contents.kind && each.metadata.name === name);
  if (live === undefined) {
    const wanted = outputObject(claim, contents.kind, name, fields);
    try {
      return { kind: "output", output: await cluster.create(wanted, writing) };
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
      const summary = `its output is to be called ${name}, and there is such a ${contents.kind} of somebody else`;
      const hint = "Choose another name, or delete that object.";
      return refused(claim, "outputs.name-taken", summary, hint);
    }
  }
  if (holdsContents(live, fields)) return { kind: "output", output: live };
  if (contents.kind === "Secret" && live["type"] !== fields.type) {
    const summary = `the type of the Secret ${name} cannot change from ${String(live["type"])} to ${fields.type ?? ""}`;
    const hint = "Choose another name, or the mode ContentsHash or Random.";
    return refused(claim, "outputs.fixed-type", summary, hint);
  }
  return { kind: "output", output: await cluster.update(withContents(live, fields), writing) };
}

/** Merely deletes it: who still uses it holds it by a finalizer. */
async function deleteOutput(
  { cluster, signal }: WriteOutputOptions,
  former: KubernetesObject,
): Promise<void> {
  if (isLeaving(former)) return;
  const { namespace = "", name = "", uid } = former.metadata;
  const reference = { apiVersion: "v1", kind: former.kind, namespace, name };
  try {
    await cluster.delete(reference, { uid, signal });
  } catch (error) {
    // Gone already, or another object has the name by now.
    if (!isApiError(error, "NotFound", "Conflict")) throw error;
  }
}
