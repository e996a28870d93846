import { assemble, type Assembled } from "../../assembly/index.ts";
import { isResourceGroup } from "../../inventory/index.ts";
import type { KubernetesObject, ScopeLookup } from "../../objects/index.ts";
import type { Source } from "./read-source.ts";

/** The components of a source, with everything that is wrong with it. */
export async function assembleSource(
  source: Source,
  scopeOf: ScopeLookup,
  namespace: string,
): Promise<Assembled> {
  if (source.program !== undefined) return assembleProgram(source, scopeOf, namespace);
  const objects = source.objects.filter(({ object }) => !isResourceGroup(object));
  if (source.tiltfile !== undefined) {
    const { assembleTiltfile } = await import("../../sources/tiltfile/index.ts");
    return assembleTiltfile({ ...source.tiltfile, objects }, { namespace, scopeOf });
  }
  const assembled = assemble({ objects, directives: [], effectiveNamespace: namespace, scopeOf });
  return { ...assembled, diagnostics: [...source.diagnostics, ...assembled.diagnostics] };
}

/** The objects of a program by the default rules; what it says itself of workloads is in its plan. */
async function assembleProgram(
  { program, diagnostics }: Source,
  scopeOf: ScopeLookup,
  namespace: string,
): Promise<Assembled> {
  await program?.close();
  const objects = (program?.graph.resources ?? [])
    .filter(({ kind }) => kind === "kubernetes")
    .map(({ inputs, source }) => ({
      object: inputs as unknown as KubernetesObject,
      file: source.file,
      sourceOf: () => source,
    }));
  const assembled = assemble({ objects, directives: [], effectiveNamespace: namespace, scopeOf });
  return { ...assembled, diagnostics: [...diagnostics, ...assembled.diagnostics] };
}
