import type { KubernetesObject } from "./kubernetes-object.ts";
import { isJsonObject } from "../json/index.ts";

export function isThirdPartyResource({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === "ThirdPartyResource" && apiVersion === "extensions/v1beta1";
}

/**
 * The CustomResourceDefinition that a ThirdPartyResource means, or why it means none. Its kind was in
 * its name; it had no schema, and no status apart from the rest.
 */
export function definitionOfThirdPartyResource(object: KubernetesObject):
  | { readonly kind: "definition"; readonly definition: KubernetesObject }
  | {
      readonly kind: "problem";
      readonly field: "metadata.name" | "versions";
      readonly message: string;
    } {
  const { name = "" } = object.metadata;
  const [, words = "", group = ""] =
    /^([a-z0-9]+(?:-[a-z0-9]+)*)\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(name) ?? [];
  if (words === "") {
    const message = "is no name of a ThirdPartyResource, which is <kind-in-words>.<group>";
    return {
      kind: "problem",
      field: "metadata.name",
      message: `${JSON.stringify(name)} ${message}`,
    };
  }
  const given = Array.isArray(object["versions"]) ? (object["versions"] as readonly unknown[]) : [];
  const versions = given.flatMap((version) =>
    isJsonObject(version) && typeof version["name"] === "string" ? [version["name"]] : [],
  );
  if (versions.length === 0 || versions.length < given.length) {
    const message = "must list the versions, each with its name, such as {name: v1}";
    return { kind: "problem", field: "versions", message };
  }
  const kind = words
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  const { description } = object;
  const schema = {
    type: "object",
    ...(typeof description === "string" ? { description } : {}),
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { ...object.metadata, name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: "Namespaced",
      versions: versions.map((version, index) => ({
        name: version,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
  return { kind: "definition", definition };
}

/** As the API server made plurals of ThirdPartyResources. */
function pluralOf(singular: string): string {
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
