import { basename, dirname, sep } from "node:path";
import { type Diagnostic, shellWord, type SourceRange } from "../../diagnostics/index.ts";
import { groupOf } from "../api-version.ts";
import type { ReadObjects } from "./read-objects.ts";
import type { SourcedObject } from "./sourced-object.ts";

/** A folder that another tool makes objects of. */
interface Unrendered {
  readonly folder: string;
  readonly what: string;
  readonly command: string;
  readonly source: SourceRange;
}

/**
 * A kustomization or a chart holds no objects yet. What is wrong with its files as objects is one
 * thing: that they were not rendered.
 */
export function tellUnrendered(read: ReadObjects): ReadObjects {
  const { objects, diagnostics } = read;
  const places = [
    ...diagnostics.flatMap(({ severity, source }) =>
      severity === "error" && source !== undefined ? [source] : [],
    ),
    ...objects.filter(isKustomization).map(({ sourceOf }) => sourceOf()),
  ];
  const found = new Map<string, Unrendered>();
  for (const source of places) {
    const unrendered = unrenderedAt(source);
    if (unrendered !== undefined && !found.has(source.file)) found.set(source.file, unrendered);
  }
  if (found.size === 0) return read;
  const folders = [...found.values()];
  const others = diagnostics.filter(
    ({ source }) =>
      source === undefined || !folders.some(({ folder }) => isBelow(source.file, folder)),
  );
  return { objects: [], diagnostics: [...folders.map(diagnosticOf), ...others] };
}

function unrenderedAt(source: SourceRange): Unrendered | undefined {
  const folder = dirname(source.file);
  const shown = shellWord(folder);
  if (/^kustomization(?:\.ya?ml)?$/i.test(basename(source.file)))
    return { folder, what: "kustomization", command: `kubectl kustomize ${shown}`, source };
  if (basename(source.file) === "Chart.yaml")
    return { folder, what: "Helm chart", command: `helm template NAME ${shown}`, source };
  return undefined;
}

function isKustomization({ object: { apiVersion, kind, metadata } }: SourcedObject): boolean {
  return (
    groupOf(apiVersion) === "kustomize.config.k8s.io" &&
    kind === "Kustomization" &&
    metadata.annotations?.["config.kubernetes.io/local-config"] !== "true"
  );
}

function isBelow(file: string, folder: string): boolean {
  return folder === "." || file.startsWith(`${folder}${sep}`);
}

function diagnosticOf({ folder, what, command, source }: Unrendered): Diagnostic {
  return {
    code: "objects.unrendered",
    severity: "error",
    summary: `${folder} is a ${what}; it has to be rendered to objects first`,
    hint: `${command} | keelson live apply - (or another command that reads \`-\`)`,
    source,
  };
}
