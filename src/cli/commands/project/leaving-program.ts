import type { ProgramRun } from "../../../apply/index.ts";
import type { ProviderHost } from "../../../providers/index.ts";

/** A program that wishes for nothing any more; what it had made, its providers can take away. */
export function leaving(providers: ProviderHost): ProgramRun {
  const desired: ProgramRun["desired"] = {
    objects: [],
    byKey: new Map(),
    resources: new Map(),
    keyOf: new Map(),
    edges: [],
    barriers: new Map(),
  };
  return {
    desired,
    desiredAs: () => desired,
    providers,
    resolve: () => Promise.reject(new Error("nothing is left to be computed")),
  };
}
