import { type Component, injectImages } from "../../assembly/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import {
  defaultNamespaces,
  duplicateObjects,
  identityKey,
  identityOf,
  type KnownScope,
  scopeLookup,
  type SourcedObject,
} from "../../objects/index.ts";
import type { OrderedComponent } from "../../plan/index.ts";
import { assembleSource } from "./assemble-source.ts";
import type { Source } from "./read-source.ts";

/** What a source wishes for in one cluster, ready for the planner. */
export interface DesiredState {
  readonly objects: readonly SourcedObject[];
  /** The components of a Tiltfile, by which its objects are named and ordered. */
  readonly components?: readonly OrderedComponent[];
  readonly warnings: readonly Diagnostic[];
}

/** Builds images where there are any: the reference of each build to what was built. */
export type BuildImages = (
  components: readonly Component[],
) => Promise<ReadonlyMap<string, string>>;

/** Assembles, fills in namespaces and refuses contradictions, with the scopes that the cluster knows. */
export async function desiredState(
  cluster: Cluster,
  source: Source,
  namespace: string,
  build: BuildImages = () => Promise.resolve(new Map()),
): Promise<DesiredState> {
  const resources = await cluster.resources();
  const discovered = resources.all.map(({ group, kind, namespaced }): KnownScope => ({
    group,
    kind,
    scope: namespaced ? "namespaced" : "cluster",
  }));
  const scopeOf = scopeLookup({ discovered, objects: source.objects.map(({ object }) => object) });
  if (source.tiltfile === undefined) return complete(source.objects, source.diagnostics);
  const { components, diagnostics } = await assembleSource(source, scopeOf, namespace);
  throwErrors(diagnostics);
  const built = await build(components);
  const injected = components.map((component) => ({
    component,
    objects: injectImages(component, built),
  }));
  const desired = complete(
    injected.flatMap(({ objects }) => objects),
    diagnostics,
  );
  return { ...desired, components: injected.map(orderOf) };

  function complete(given: readonly SourcedObject[], known: readonly Diagnostic[]): DesiredState {
    const defaulted = defaultNamespaces(given, scopeOf, namespace);
    const found = [...defaulted.diagnostics, ...duplicateObjects(defaulted.objects)];
    throwErrors(found);
    return { objects: defaulted.objects, warnings: [...known, ...found] };
  }

  function orderOf({ component, objects }: (typeof injected)[number]): OrderedComponent {
    const members = defaultNamespaces(objects, scopeOf, namespace).objects;
    return {
      name: component.name,
      members: members.map(({ object }) => identityKey(identityOf(object))),
      dependsOn: component.dependsOn,
      comesFirst: component.kind === "uncategorized",
    };
  }
}

function throwErrors(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
}
