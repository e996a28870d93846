import { fieldSteps } from "../schema/field-steps.ts";
import { isDeferredValue } from "./program-graph.ts";
import type { DeferredJson, DeferredValue, ProgramResource } from "./program-graph.ts";

type Path = readonly (string | number)[];
type Secretive = Pick<ProgramResource, "inputs" | "kind" | "name" | "options">;

/**
 * What is computed from a secret is one: the properties that hold such values count as secret as well
 * as those of which the program says so.
 */
export function withSecretPaths<T extends Secretive>(resources: readonly T[]): readonly T[] {
  const byName = new Map<string, Secretive>(resources.map((each) => [each.name, each]));
  const isSecret = ({ from }: DeferredValue): boolean =>
    from.some(({ resource, path }) => isSecretPath(byName.get(resource), path));
  return resources.map((resource) => {
    const paths = [
      ...(resource.options.secret ?? []).map(fieldSteps),
      ...deferredPaths(resource.inputs, isSecret, []),
    ];
    if (paths.length === 0) return resource;
    // A provider gets its secret inputs whole, and they are kept whole.
    const shown = paths.map((path) =>
      writePath(resource.kind === "provider" ? path.slice(0, 1) : path),
    );
    return { ...resource, options: { ...resource.options, secret: [...new Set(shown)] } };
  });
}

/** Whether a property of a resource is secret, or holds one that is. */
export function isSecretPath(resource: Secretive | undefined, path: Path): boolean {
  if (resource === undefined) return false;
  const declared = (resource.options.secret ?? []).map(fieldSteps);
  const own = isSecretObject(resource.inputs) ? [["data"], ["stringData"]] : [];
  return [...declared, ...own].some((secret) =>
    secret.slice(0, path.length).every((step, index) => step === path[index]),
  );
}

function isSecretObject(inputs: DeferredJson): boolean {
  const { apiVersion, kind } = inputs as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return apiVersion === "v1" && kind === "Secret";
}

/** Where deferred values stand that are asked for. */
export function deferredPaths(
  value: DeferredJson,
  isWanted: (deferred: DeferredValue) => boolean,
  path: Path,
): readonly Path[] {
  if (isDeferredValue(value)) return isWanted(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return (value as readonly DeferredJson[]).flatMap((inner, index) =>
      deferredPaths(inner, isWanted, [...path, index]),
    );
  }
  return Object.entries(value as Readonly<Record<string, DeferredJson>>).flatMap(([key, inner]) =>
    deferredPaths(inner, isWanted, [...path, key]),
  );
}

function writePath(path: Path): string {
  return path
    .map((step) => (typeof step === "string" && /^[^.[\]]+$/.test(step) ? `.${step}` : `[${step}]`))
    .join("")
    .replace(/^\./, "");
}
