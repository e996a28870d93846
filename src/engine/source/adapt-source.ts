import { adaptObjects, type KubernetesObject } from "../../objects/index.ts";
import type { ProgramResource } from "../../resources/index.ts";
import type { ProgramSource, Source } from "./read-source.ts";

/** A source as today's API servers take it, wherever its objects come from. */
export function adaptSource(source: Source): Source {
  if (source.kind === "program") return adaptProgram(source);
  const { objects, diagnostics: found } = adaptObjects(source.objects);
  if (found.length === 0) return source;
  const diagnostics = [...source.diagnostics, ...found];
  return source.kind === "objects"
    ? { ...source, objects, diagnostics }
    : { ...source, objects, diagnostics, tiltfile: { ...source.tiltfile, objects, diagnostics } };
}

function adaptProgram(source: ProgramSource): ProgramSource {
  const { graph } = source.program;
  const { resources, diagnostics } = adaptResources(graph.resources);
  if (diagnostics.length === 0) return source;
  return {
    ...source,
    program: { ...source.program, graph: { ...graph, resources } },
    diagnostics: [...source.diagnostics, ...diagnostics],
  };
}

function adaptResources(
  resources: readonly ProgramResource[],
): Pick<Source, "diagnostics"> & { readonly resources: readonly ProgramResource[] } {
  const given = resources
    .filter(({ kind }) => kind === "kubernetes")
    .map((resource) => ({
      resource,
      object: resource.inputs as unknown as KubernetesObject,
      file: resource.source.file,
      sourceOf: () => resource.source,
    }));
  const { objects, diagnostics } = adaptObjects(given);
  const adapted = new Map(objects.map(({ resource, object }) => [resource, object]));
  return {
    diagnostics,
    resources: resources.map((resource) => {
      const inputs = adapted.get(resource) as ProgramResource["inputs"] | undefined;
      return inputs === undefined ? resource : { ...resource, inputs };
    }),
  };
}
