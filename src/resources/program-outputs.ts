import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import { type JsonValue, stringifyJson } from "../json/index.ts";
import { deferredJson, DeferredValues, type UnfitValue } from "./deferred-json.ts";
import { isDeferredValue, type DeferredJson, type ProgramResource } from "./program-graph.ts";
import { holdsProvisioned, isProvisioned, output } from "./provisioned/index.ts";
import { recordOf } from "./resource-record.ts";
import { isPlainObject } from "./snapshot-properties.ts";
import { deferredPaths, isSecretPath } from "./secret-paths.ts";

/** Names the outputs whose values are secret, as a JSON list. */
export const secretOutputsAnnotation = "keelson.dev/secret-outputs";

export const outputsType = "keelson.dev/outputs";

export interface OutputsOptions {
  readonly project: string;
  readonly env: string;
  /** The name of the Secret. */
  readonly name: string;
  /** The module whose exports they are. */
  readonly source: SourceRange;
}

/**
 * The values that the main module exports, as the Secret that keeps them beside the inventory: others read
 * them there, and it is planned, applied and deleted as every object. Functions, classes and resources that are
 * exported are for other modules.
 */
export function programOutputs(
  exported: Readonly<Record<string, unknown>>,
  resources: readonly ProgramResource[],
  deferred: DeferredValues,
  { project, env, name, source }: OutputsOptions,
): { readonly resources: readonly ProgramResource[]; readonly diagnostics: readonly Diagnostic[] } {
  const unfit: UnfitValue[] = [];
  const data: Record<string, DeferredJson> = {};
  const secret: string[] = [];
  const byName = new Map(resources.map((each) => [each.name, each]));
  for (const [key, value] of Object.entries(exported)) {
    if (unnamed.has(key) || !isData(value)) continue;
    const problems: UnfitValue[] = [];
    const plain = deferredJson({ [key]: value }, new DeferredValues(), problems, false);
    unfit.push(...problems);
    if (problems.length > 0) continue;
    const text = output(value).map((known) => encoded(known));
    data[key] = holdsProvisioned(text) ? deferred.defer(text) : text;
    const comesFromSecret = deferredPaths(
      plain,
      ({ from }) => from.some(({ resource, path }) => isSecretPath(byName.get(resource), path)),
      [],
    );
    if (comesFromSecret.length > 0) secret.push(key);
  }
  const diagnostics = unfit.map(({ at, problem }): Diagnostic => ({
    code: "program.bad-value",
    severity: "error",
    summary: `The output ${at} ${problem}, which is no data`,
    hint: "Outputs are text, numbers, booleans, lists and objects, and properties of resources; export other things from another module",
    source,
  }));
  if (Object.keys(data).length === 0) return { resources: [], diagnostics };
  const from = Object.entries(data).flatMap(([key, value]) =>
    isDeferredValue(value)
      ? value.from.map(({ resource }) => ({ to: resource, reason: `the output ${key} uses it` }))
      : [],
  );
  const type = "keelson:k8s/Secret";
  const made: ProgramResource = {
    name: `${env}:${project}:${type}#outputs`,
    type,
    kind: "kubernetes",
    package: "keelson",
    providerType: type,
    inputs: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name,
        ...(secret.length === 0
          ? {}
          : { annotations: { [secretOutputsAnnotation]: JSON.stringify(secret) } }),
      },
      type: outputsType,
      data,
    },
    options: {},
    edges: [...new Map(from.map((edge) => [edge.to, edge])).values()],
    objectName: { naming: "fixed", isGenerated: false },
    aliases: [],
    source,
  };
  return { resources: [made], diagnostics };
}

/** What modules export without giving it a name. */
const unnamed: ReadonlySet<string> = new Set(["default", "module.exports"]);

/** Functions, classes and resources are code, and so is what was made of other classes. */
function isData(value: unknown): boolean {
  if (isProvisioned(value)) return true;
  if (typeof value === "function" || typeof value === "symbol" || value === undefined) return false;
  if (typeof value !== "object" || value === null) return true;
  if (recordOf(value) !== undefined) return false;
  return Array.isArray(value) || isPlainObject(value) || value instanceof Date;
}

function encoded(value: unknown): string {
  return Buffer.from(stringifyJson(value as JsonValue)).toString("base64");
}
