import type { KubernetesObject } from "../../../objects/index.ts";
import type { Strategy } from "../strategy.ts";

/** A definition begins without accepted names; the definition controller accepts them. */
export const definitionStrategy: Partial<Strategy> = {
  generation: true,
  unconditionalUpdate: false,
  initialStatus: "drop",
  deletionFinalizers: ["customresourcecleanup.apiextensions.k8s.io"],
  returnsDeletedObject: true,
  prepareCreate: (definition) => ({
    ...definition,
    status: {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storedVersions(definition),
    },
  }),
  prepareUpdate: (definition) => {
    const status = (definition["status"] ?? {}) as { readonly storedVersions?: readonly string[] };
    const stored = [...new Set([...(status.storedVersions ?? []), ...storedVersions(definition)])];
    return { ...definition, status: { ...status, storedVersions: stored } };
  },
};

function storedVersions(definition: KubernetesObject): readonly string[] {
  const { versions } = (definition["spec"] ?? {}) as {
    versions?: readonly { name: string; storage: boolean }[] | null;
  };
  return (versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
}
