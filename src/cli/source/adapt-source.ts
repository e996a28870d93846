import { adaptObjects, type KubernetesObject } from "../../objects/index.ts";
import type { ProgramResource } from "../../resources/index.ts";
import type { Source } from "./read-source.ts";

/** A source as today's API servers take it, wherever its objects come from. */
export function adaptSource(source: Source): Source {
  const { objects, diagnostics } = adaptObjects(source.objects);
  const program = source.program && adaptResources(source.program.graph.resources);
  const found = [...diagnostics, ...(program?.diagnostics ?? [])];
  if (found.length === 0) return source;
  return {
    ...source,
    objects,
    ...(source.tiltfile === undefined
      ? {}
      : {
          tiltfile: {
            ...source.tiltfile,
            objects,
            diagnostics: [...source.tiltfile.diagnostics, ...found],
          },
        }),
    ...(source.program === undefined || program === undefined
      ? {}
      : {
          program: {
            ...source.program,
            graph: { ...source.program.graph, resources: program.resources },
          },
        }),
    diagnostics: [...source.diagnostics, ...found],
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
