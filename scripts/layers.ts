/** The folders of `src/` as layers: each may import from itself and from those before it. */
export const layers = [
  "json",
  "diagnostics",
  "objects",
  "schema",
  "merge",
  "cel",
  "graph",
  "causes",
  "events",
  "readiness",
  "processes",
  "cluster",
  "sandbox",
  "inventory",
  "resources",
  "providers",
  "observe",
  "plan",
  "prepare",
  "apply",
  "outputs",
  "assembly",
  "images",
  "sources",
  "bundles",
  "blueprints",
  "engine",
  "controller",
  "devloop",
  "dashboard",
  "cli",
] as const;

/** Folders that take data and return data: no clock, randomness, network, disk or environment. */
export const pureLayers: readonly string[] = [
  "json",
  "diagnostics",
  "schema",
  "merge",
  "cel",
  "graph",
  "causes",
  "events",
  "readiness",
  "plan",
  "assembly",
  "bundles",
  "blueprints",
];

/**
 * Modules that other folders import directly instead of through an `index.ts`: commands that need no more
 * than them, and the programs of users, must not load the rest of their folders.
 */
export const loadedAlone: readonly string[] = [
  "diagnostics/log-text.ts",
  "diagnostics/safe-text.ts",
  "objects/api-version.ts",
  "processes/built-folder.ts",
  "processes/divert-output.ts",
  "processes/foreign-code.ts",
  "processes/private-file.ts",
  "processes/user-folders.ts",
  "objects/write-yaml.ts",
  "processes/process-mark.ts",
  "schema/builtin-resources.ts",
  "schema/builtin-schemas.ts",
  "schema/builtin-validation/names.ts",
  "schema/crd-schema.ts",
  "schema/field-steps.ts",
  "schema/string-format.ts",
  "sources/program/check-types.ts",
  "sources/program/find-project.ts",
  "sources/program/inputs.ts",
  "sources/program/inventory-name.ts",
  "sources/program/main-files.ts",
  "sources/program/program-worker.ts",
  "engine/source/input-paths.ts",
  "engine/source/program-path.ts",
  "engine/source/tiltfile-path.ts",
  "controller/install/install-objects.ts",
  "controller/runtime/log-level.ts",
];

/**
 * Kubernetes' own names, generated from its schemas: a kind is a class and the type of its fields, and other
 * folders call what they know of a Pod a Pod, too.
 */
export const kubernetesNames: readonly string[] = [
  "src/resources/k8s/kinds.ts",
  "src/resources/k8s/types.ts",
];

/** Names that are exported from several files, each with its reason; every other name has one definition. */
export const sharedNames: Readonly<Record<string, string>> = {
  FieldRequirement: "what authors of templates write, and what is read of it",
  HealthRule: "what authors of templates write, and what is read of it",
  Template: "what authors of templates write, and what is read of it",
  optional: "vocabularies: parameters of Starlark functions, what rewritten programs call",
  text: "vocabularies: parts of schemas, parameters of Starlark functions, what rewritten programs call",
};
