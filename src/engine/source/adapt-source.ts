import {
  adaptObjects,
  type KubernetesObject,
  leaveOutHooks,
  type SourcedObject,
} from "../../objects/index.ts";
import type { ProgramResource } from "../../resources/index.ts";
import type { ProgramSource, Source } from "./read-source.ts";

/** A source as today's API servers take it, wherever its objects come from. */
export function adaptSource(source: Source): Source {
  if (source.kind === "program") return adaptProgram(source);
  const { objects, diagnostics: found } = adapted(source.objects);
  if (found.length === 0) return source;
  const diagnostics = [...source.diagnostics, ...found];
  return source.kind === "objects"
    ? { ...source, objects, diagnostics }
    : { ...source, objects, diagnostics, tiltfile: { ...source.tiltfile, objects, diagnostics } };
}

/** In the terms of today's servers, without what only Helm has a use for. */
function adapted<Given extends SourcedObject>(
  given: readonly Given[],
): ReturnType<typeof adaptObjects<Given>> {
  const kept = leaveOutHooks(given);
  const { objects, diagnostics } = adaptObjects(kept.objects);
  return { objects, diagnostics: [...kept.diagnostics, ...diagnostics] };
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
  const { objects, diagnostics } = adapted(given);
  const inputsOf = new Map(
    objects.map(({ resource, object }) => [
      resource,
      object as unknown as ProgramResource["inputs"],
    ]),
  );
  return {
    diagnostics,
    resources: resources.flatMap((resource): readonly ProgramResource[] => {
      if (resource.kind !== "kubernetes") return [resource];
      const inputs = inputsOf.get(resource);
      return inputs === undefined ? [] : [{ ...resource, inputs }];
    }),
  };
}
