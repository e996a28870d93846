import { validationErrors } from "../cel/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import type { JsonObject } from "../json/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  type KubernetesObject,
  mutationAnnotation,
  type SourcedObject,
  splitApiVersion,
} from "../objects/index.ts";
import { diagnoseObject, fieldSteps, formatFieldError, type Schema } from "../schema/index.ts";
import { knownAfterApply } from "./hole.ts";
import { type ApplyNode, hasOpenHoles, type Plan } from "./plan.ts";
import { isUnknownName, knownPartOfName } from "./program-desired.ts";

/** An object that a server would refuse, as far as is known here. The server may know better. */
export interface SuspectObject {
  readonly node: ApplyNode;
  /** What is to be said if the server refuses it. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of these, what is said also when the server cannot be asked: a newer one may know more fields. */
  readonly sure: readonly Diagnostic[];
  /** Whether the object as it is going to be can be sent. */
  readonly isComplete: boolean;
}

/** What a server would hold against the objects that are about to be written, all of it at once. */
export function diagnosePlan(
  { nodes }: Plan,
  desired: readonly SourcedObject[],
  schemaOf: (apiVersion: string, kind: string) => Schema | undefined,
): readonly SuspectObject[] {
  const suspects: SuspectObject[] = [];
  for (const sourced of desired) {
    const { object } = sourced;
    const identity = identityOf(object);
    // That it has no name is told already.
    if (identity.name === "") continue;
    const node = nodes.get(identityKey(identity));
    const isWritten =
      node?.kind === "apply" && (node.action === "create" || node.action === "update");
    const schema = schemaOf(object.apiVersion, object.kind);
    // What an annotation fills in is judged by the server when its turn comes; it may be from a Secret.
    const isCopied = isWritten && node.holes?.holes.some(({ kind }) => kind === "copied") === true;
    if (!isWritten || isCopied || schema === undefined) continue;
    const isOpen = hasOpenHoles(node) || isUnknownName(identity.name);
    const found = isOpen
      ? diagnoseDeferred(node, sourced, schema)
      : diagnoseNode(node, sourced, schema);
    const isCustom = schema.name === undefined;
    const sure = found.filter(({ code }) => code !== "schema.unknown-field" || isCustom);
    if (found.length > 0) suspects.push({ node, diagnostics: found, sure, isComplete: !isOpen });
  }
  return suspects;
}

/** What a server would hold against objects of which nothing but the input is known, in the words of a plan. */
export function diagnoseInput(
  objects: readonly SourcedObject[],
  schemaOf: (apiVersion: string, kind: string) => Schema | undefined,
): readonly Diagnostic[] {
  return objects.flatMap((sourced) => {
    const { object } = sourced;
    const identity = identityOf(object);
    const schema = schemaOf(object.apiVersion, object.kind);
    // As in a plan: that it has no name is told already, and what is filled in later cannot be judged.
    const isOpen = object.metadata.annotations?.[mutationAnnotation] !== undefined;
    if (identity.name === "" || isOpen || schema === undefined) return [];
    return diagnoseNode({ identity, live: undefined }, sourced, schema);
  });
}

/**
 * What is wrong whatever the values will be that are not known yet: said of the object with words in
 * their places, and also without them.
 */
function diagnoseDeferred(
  node: ApplyNode,
  sourced: SourcedObject,
  schema: Schema,
): readonly Diagnostic[] {
  const known = withoutUnknown(sourced.object) as KubernetesObject;
  const name = knownPartOfName(known.metadata.name ?? "");
  const object = { ...known, metadata: { ...known.metadata, name } };
  const without = diagnoseNode(node, { ...sourced, object }, schema);
  return diagnoseNode(node, sourced, schema).filter(({ code, summary }) =>
    without.some((other) => other.code === code && other.summary === summary),
  );
}

function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isKnown).map(withoutUnknown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => isKnown(inner))
      .map(([key, inner]) => [key, withoutUnknown(inner)]),
  );
}

function isKnown(value: unknown): boolean {
  return value !== knownAfterApply;
}

function diagnoseNode(
  { identity, live }: Pick<ApplyNode, "identity" | "live">,
  { object, sourceOf }: SourcedObject,
  schema: Schema,
): readonly Diagnostic[] {
  const kind = { ...splitApiVersion(object.apiVersion), kind: object.kind };
  const subject = formatIdentity(identity);
  const { value, diagnostics } = diagnoseObject(
    kind,
    schema,
    object as unknown as JsonObject,
    subject,
    sourceOf,
  );
  const found = diagnostics.map((diagnostic): Diagnostic => ({ ...diagnostic, severity: "error" }));
  // Rules see the merged object; of one that is new that is the object itself.
  if (found.length > 0 || live !== undefined) return found;
  return validationErrors(schema, value, undefined).map((error) => ({
    code: "schema.invalid-object",
    severity: "error",
    summary: `${subject} is invalid: ${formatFieldError(error)}`,
    subject,
    source: sourceOf(fieldSteps(error.field)),
  }));
}
