import type { Diagnostic } from "../diagnostics/index.ts";
import type { JsonObject } from "../json/index.ts";
import { type KubernetesObject, splitApiVersion } from "../objects/index.ts";
import { builtinSchemas, diagnoseObject } from "../schema/index.ts";
import type { Bundle } from "./bundle.ts";
import type { BundlePlugin } from "./bundle-plugin.ts";
import { exampleOf } from "./describe-resource.ts";

/** What is wrong with one resource once the examples of its references stand in it. */
export interface ExampleProblem {
  readonly diagnostics: readonly Diagnostic[];
  /** The object that a server may still take; undefined when there is none to ask about. */
  readonly object?: KubernetesObject | undefined;
}

/** What kinds of Kubernetes hold against objects with the examples of their references in place. */
export function exampleProblems(
  bundle: Bundle,
  plugin: (name: string) => BundlePlugin | undefined,
): readonly ExampleProblem[] {
  const subject = `${bundle.object.kind} ${bundle.object.metadata.name ?? ""}`;
  return bundle.resources.flatMap((resource): readonly ExampleProblem[] => {
    const example = exampleOf(bundle, resource, plugin);
    if (example === undefined) return [];
    const refuse = (message: string): Diagnostic => ({
      code: "bundle.invalid-example",
      severity: "error",
      summary: `${subject}: ${resource.name}, with the examples of its references: ${message}`,
      subject,
    });
    if (example.kind !== "object") return [{ diagnostics: [refuse(example.message)] }];
    const { apiVersion, kind, metadata } = example.object;
    const { group, version } = splitApiVersion(apiVersion);
    const schema = builtinSchemas().get({ group, version, kind });
    if (schema === undefined) return [];
    const { diagnostics } = diagnoseObject(
      { group, version, kind },
      schema,
      example.object as unknown as JsonObject,
      `${kind} ${metadata.name ?? ""}`,
    );
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return [];
    return [{ diagnostics: errors.map(({ summary }) => refuse(summary)), object: example.object }];
  });
}
