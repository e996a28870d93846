import { type Component, fullIdentifierOf } from "../../assembly/index.ts";
import type { SourceRange } from "../../diagnostics/index.ts";
import { identityKey, identityOf, type ScopeLookup } from "../../objects/index.ts";

/** A component for programs; objects are given by their full identifiers, never with their fields. */
export function componentJson(
  component: Component,
  scopeOf: ScopeLookup,
  effectiveNamespace: string,
): Readonly<Record<string, unknown>> {
  const identifiers = new Map(
    component.objects.map((given) => [
      identityKey(identityOf(given.object)),
      fullIdentifierOf(given, scopeOf, effectiveNamespace),
    ]),
  );
  const { workload, objects, images, source, name, kind, ...options } = component;
  return {
    name,
    kind,
    ...(workload === undefined
      ? {}
      : { workload: fullIdentifierOf(workload, scopeOf, effectiveNamespace) }),
    objects: objects.map((given) => fullIdentifierOf(given, scopeOf, effectiveNamespace)),
    images: images.map(({ object, ...image }) => ({
      ...image,
      object: identifiers.get(identityKey(object)),
    })),
    ...options,
    ...(source === undefined ? {} : { source: placeOf(source) }),
  };
}

/** Where something stands, for programs. */
export function placeOf({ file, start }: SourceRange): Readonly<Record<string, unknown>> {
  return { file, line: start.line, column: start.column };
}
