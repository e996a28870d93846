import type { Strategy } from "../strategy.ts";

/** A namespace holds itself until it has been emptied. */
export const namespaceStrategy: Partial<Strategy> = {
  initialStatus: { phase: "Active" },
  returnsDeletedObject: true,
  prepareCreate: (namespace) => {
    const { finalizers = [] } = (namespace["spec"] ?? {}) as {
      readonly finalizers?: readonly string[] | null;
    };
    const all = [...new Set([...(finalizers ?? []), "kubernetes"])];
    return { ...namespace, spec: { finalizers: all } };
  },
  prepareUpdate: (namespace, old, _context, subresource) =>
    subresource === "finalize" ? namespace : { ...namespace, spec: old["spec"] },
};
