import { definitionVersion, definitionVersionAnnotation } from "../../inventory/index.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { blueprintVersion, type BlueprintGroup } from "../groups.ts";

export interface DefinitionParts {
  readonly group: BlueprintGroup;
  readonly kind: string;
  readonly shortName: string;
  readonly namespaced: boolean;
  readonly description: string;
  readonly spec: JsonObject;
  readonly status?: JsonObject | undefined;
  readonly columns?: JsonValue[] | undefined;
}

/** The CustomResourceDefinition of one kind in one group. */
export function definition(parts: DefinitionParts): KubernetesObject {
  const { group, kind, shortName, namespaced, description, spec, status, columns = [] } = parts;
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { [definitionVersionAnnotation]: String(definitionVersion) },
    },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName] },
      versions: [
        {
          name: blueprintVersion,
          served: true,
          storage: true,
          ...(status === undefined ? {} : { subresources: { status: {} } }),
          additionalPrinterColumns: [
            ...columns,
            ...(status === undefined ? [] : readyColumns),
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: {
            openAPIV3Schema: {
              type: "object",
              description,
              required: ["spec"],
              properties: { spec, ...(status === undefined ? {} : { status }) },
            },
          },
        },
      ],
    },
  };
}

const readyColumns: JsonValue[] = [
  {
    name: "Ready",
    type: "string",
    jsonPath: `.status.conditions[?(@.type=='Ready')].status`,
  },
  {
    name: "Reason",
    type: "string",
    jsonPath: `.status.conditions[?(@.type=='Ready')].reason`,
  },
];
