import {
  assemble,
  type Assembled,
  type Component,
  type GivenObject,
} from "../../assembly/index.ts";
import { isResourceGroup } from "../../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ScopeLookup,
} from "../../objects/index.ts";
import type { ProgramComponent } from "../../resources/index.ts";
import type { ProgramSource, Source } from "./read-source.ts";

/** The components of a source, with everything that is wrong with it. */
export async function assembleSource(
  source: Source,
  scopeOf: ScopeLookup,
  namespace: string,
): Promise<Assembled> {
  if (source.kind === "program") return assembleProgram(source, scopeOf, namespace);
  const objects = source.objects.filter(({ object }) => !isResourceGroup(object));
  if (source.kind === "tiltfile") {
    const { assembleTiltfile } = await import("../../sources/tiltfile/index.ts");
    return assembleTiltfile({ ...source.tiltfile, objects }, { namespace, scopeOf });
  }
  const assembled = assemble({ objects, directives: [], effectiveNamespace: namespace, scopeOf });
  return { ...assembled, diagnostics: [...source.diagnostics, ...assembled.diagnostics] };
}

/** The objects of a program, as it speaks of its workloads, else by the default rules. */
async function assembleProgram(
  { program, diagnostics }: ProgramSource,
  scopeOf: ScopeLookup,
  namespace: string,
): Promise<Assembled> {
  await program.close();
  const { resources, components: said } = program.graph;
  const givenOf = new Map(
    resources
      .filter(({ kind }) => kind === "kubernetes")
      .map(({ name, inputs, source }): readonly [string, GivenObject] => {
        const object = inputs as unknown as KubernetesObject;
        return [name, { object, file: source.file, sourceOf: () => source }];
      }),
  );
  const assembled = assemble({
    objects: [...givenOf.values()],
    directives: [],
    effectiveNamespace: namespace,
    scopeOf,
  });
  if (said.length === 0)
    return { ...assembled, diagnostics: [...diagnostics, ...assembled.diagnostics] };
  // What is doubtful by the default rules, the program has settled; what it got wrong it says itself.
  return {
    ...assembled,
    diagnostics,
    components: said.map((each) => componentOf(each, givenOf, assembled.components)),
  };
}

/** A component as the program has it, with what is found out about its workload. */
function componentOf(
  said: ProgramComponent,
  givenOf: ReadonlyMap<string, GivenObject>,
  found: readonly Component[],
): Component {
  const workload = said.workload === undefined ? undefined : givenOf.get(said.workload);
  const known = found.find(
    (component) => workload !== undefined && component.workload === workload,
  );
  const objects = said.resources.flatMap((name) => givenOf.get(name) ?? []);
  const keys = new Set(objects.map(({ object }) => identityKey(identityOf(object))));
  return {
    ...(known ?? noOptions),
    name: said.name,
    kind: known?.kind ?? (said.comesFirst ? "uncategorized" : "objects"),
    objects,
    images: found
      .flatMap(({ images }) => images)
      .filter(({ object }) => keys.has(identityKey(object))),
    dependsOn: said.dependsOn,
    portForwards: said.portForwards as Component["portForwards"],
    links: said.links as Component["links"],
    labels: said.labels,
  };
}

const noOptions = {
  extraPodSelectors: [],
  autoInit: true,
  podReadiness: "ignore",
  discoveryStrategy: "default",
} as const satisfies Partial<Component>;
