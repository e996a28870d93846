import { assemble, type Assembled } from "../../assembly/index.ts";
import { isResourceGroup } from "../../inventory/index.ts";
import type { ScopeLookup } from "../../objects/index.ts";
import type { Source } from "./read-source.ts";

/** The components of a source, with everything that is wrong with it. */
export async function assembleSource(
  source: Source,
  scopeOf: ScopeLookup,
  namespace: string,
): Promise<Assembled> {
  const objects = source.objects.filter(({ object }) => !isResourceGroup(object));
  if (source.tiltfile !== undefined) {
    const { assembleTiltfile } = await import("../../sources/tiltfile/index.ts");
    return assembleTiltfile({ ...source.tiltfile, objects }, { namespace, scopeOf });
  }
  const assembled = assemble({ objects, directives: [], effectiveNamespace: namespace, scopeOf });
  return { ...assembled, diagnostics: [...source.diagnostics, ...assembled.diagnostics] };
}
