import type { Diagnostic } from "../diagnostics/index.ts";
import type { JsonObject } from "../json/index.ts";
import { splitApiVersion } from "../objects/index.ts";
import { builtinSchemas, diagnoseObject } from "../schema/index.ts";
import type { Bundle } from "./bundle.ts";
import type { BundlePlugin } from "./bundle-plugin.ts";
import { exampleOf } from "./describe-resource.ts";

/** What kinds of Kubernetes hold against objects with the examples of their references in place. */
export function exampleProblems(
  bundle: Bundle,
  plugin: (name: string) => BundlePlugin | undefined,
): readonly Diagnostic[] {
  const subject = `${bundle.object.kind} ${bundle.object.metadata.name ?? ""}`;
  return bundle.resources.flatMap((resource): readonly Diagnostic[] => {
    const example = exampleOf(bundle, resource, plugin);
    if (example === undefined) return [];
    const refuse = (message: string): Diagnostic => ({
      code: "bundle.invalid-example",
      severity: "error",
      summary: `${subject}: ${resource.name}, with the examples of its references: ${message}`,
      subject,
    });
    if (example.kind !== "object") return [refuse(example.message)];
    const { apiVersion, kind, metadata } = example.object;
    const { group, version } = splitApiVersion(apiVersion);
    const schema = builtinSchemas().get({ group, version, kind });
    if (schema === undefined) return [];
    return diagnoseObject(
      { group, version, kind },
      schema,
      example.object as unknown as JsonObject,
      `${kind} ${metadata.name ?? ""}`,
    )
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ summary }) => refuse(summary));
  });
}
