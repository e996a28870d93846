import type { Diagnostic } from "../../diagnostics/index.ts";
import {
  groupOf,
  readObjectsFromText,
  scopeLookup,
  writeYaml,
  isHelmTest,
  type KubernetesObject,
  type ScopeLookup,
} from "../../objects/index.ts";

/**
 * Takes the tests out of what helm printed, and gives objects the namespace of the release: helm
 * leaves it to the installation, which does not happen here. Text with nothing to change stays as
 * it is, with its comments.
 */
export function finishChart(
  printed: string,
  namespace = "",
): { readonly yaml: string | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const yaml = withoutTestFiles(printed);
  if (namespace === "" && !yaml.includes("helm.sh/hook")) return { yaml, diagnostics: [] };
  const { objects, diagnostics } = readObjectsFromText("helm template", yaml);
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { yaml: undefined, diagnostics };
  }
  const all = objects.map(({ object }) => object);
  const scopeOf = scopeLookup({ objects: all });
  const kept = all.filter((object) => !isHelmTest(object));
  const placed = kept.map((object) => inNamespace(object, namespace, scopeOf));
  return { yaml: writeYaml(placed), diagnostics: [] };
}

/** helm says above each document which template it is from. */
function withoutTestFiles(printed: string): string {
  if (!/^# Source: .*\/tests\//m.test(printed)) return printed;
  const documents = printed.split(/^---\n/m);
  return documents.filter((document) => !/^# Source: .*\/tests\//m.test(document)).join("---\n");
}

function inNamespace(
  object: KubernetesObject,
  namespace: string,
  scopeOf: ScopeLookup,
): KubernetesObject {
  const isPlaced = (object.metadata.namespace ?? "") !== "";
  if (namespace === "" || isPlaced) return object;
  if (scopeOf(groupOf(object.apiVersion), object.kind) === "cluster") return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
