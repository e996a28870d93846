import type { Strategy } from "../strategy.ts";

/** A namespace holds itself until it has been emptied. */
export const namespaceStrategy: Partial<Strategy> = {
  initialStatus: { phase: "Active" },
  returnsDeletedObject: true,
  prepareCreate: (namespace) => ({ ...namespace, spec: { finalizers: ["kubernetes"] } }),
  prepareUpdate: (namespace, old, _context, subresource) =>
    subresource === "finalize" ? namespace : { ...namespace, spec: old["spec"] },
};
