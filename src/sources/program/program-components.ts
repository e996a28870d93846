import { assemble, type Directive, type GivenObject } from "../../assembly/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { type KubernetesObject, scopeLookup } from "../../objects/index.ts";
import type { ProgramComponent, ProgramResource } from "../../resources/index.ts";

/** The components that the objects of a program make; none unless the program speaks of workloads. */
export function programComponents(
  resources: readonly ProgramResource[],
  directives: readonly Directive[],
  namespace: string,
): {
  readonly components: readonly ProgramComponent[];
  readonly diagnostics: readonly Diagnostic[];
} {
  if (directives.length === 0) return { components: [], diagnostics: [] };
  const names = new Map<GivenObject, string>();
  const objects = resources
    .filter(({ kind }) => kind === "kubernetes")
    .map((resource): GivenObject => {
      const given = {
        object: resource.inputs as unknown as KubernetesObject,
        file: resource.source.file,
        sourceOf: () => resource.source,
      };
      names.set(given, resource.name);
      return given;
    });
  const scopeOf = scopeLookup({ objects: objects.map(({ object }) => object) });
  const { components, diagnostics } = assemble({
    objects,
    directives,
    effectiveNamespace: namespace,
    scopeOf,
  });
  return {
    diagnostics,
    components: components.map(
      ({ name, kind, workload, objects: members, dependsOn, portForwards, links, labels }) => ({
        name,
        comesFirst: kind === "uncategorized",
        ...(workload === undefined ? {} : { workload: names.get(workload) ?? "" }),
        resources: members.flatMap((given) => names.get(given) ?? []),
        dependsOn,
        portForwards,
        links,
        labels,
      }),
    ),
  };
}
