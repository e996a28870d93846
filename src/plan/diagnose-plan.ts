import type { Diagnostic } from "../diagnostics/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  type JsonObject,
  type SourcedObject,
  splitApiVersion,
} from "../objects/index.ts";
import { diagnoseObject, type Schema } from "../schema/index.ts";
import type { Plan } from "./plan.ts";

/**
 * What a server would hold against the objects that are about to be written, all of it at once. Fields
 * that a built-in kind does not know are left to the server: it may be newer than the schemas here.
 */
export function diagnosePlan(
  { nodes }: Plan,
  desired: readonly SourcedObject[],
  schemaOf: (apiVersion: string, kind: string) => Schema | undefined,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const sourced of desired) {
    const { object } = sourced;
    const identity = identityOf(object);
    const node = nodes.get(identityKey(identity));
    const isWritten =
      node?.kind === "apply" && (node.action === "create" || node.action === "update");
    const schema = schemaOf(object.apiVersion, object.kind);
    // What is filled in later cannot be judged now.
    if (!isWritten || node.mutations.length > 0 || schema === undefined) continue;
    const kind = { ...splitApiVersion(object.apiVersion), kind: object.kind };
    const found = diagnoseObject(
      kind,
      schema,
      object as unknown as JsonObject,
      formatIdentity(identity),
    );
    for (const diagnostic of found.diagnostics) {
      const isUnknownField = diagnostic.code === "schema.unknown-field";
      if (isUnknownField && schema.name !== undefined) continue;
      diagnostics.push({ ...diagnostic, severity: "error", source: sourced.sourceOf() });
    }
  }
  return diagnostics;
}
