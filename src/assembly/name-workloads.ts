import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import { type AssemblyObject, fullIdentifier } from "./assembly-object.ts";
import { ComponentDraft } from "./component-draft.ts";
import type { Directive, NameWorkloadsDirective } from "./directive.ts";
import type { IdentifierIndex } from "./identifier-index.ts";

export interface NamedWorkloads {
  readonly drafts: readonly ComponentDraft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Gives each workload a component: named by the author's function, or else by what tells it apart. */
export function namedWorkloads(
  workloads: readonly AssemblyObject[],
  index: IdentifierIndex,
  directives: readonly Directive[],
): NamedWorkloads {
  const diagnostics: Diagnostic[] = [];
  const naming = directives.findLast((directive) => directive.kind === "name-workloads");
  const drafts = workloads.map((workload) => {
    const name = naming === undefined ? undefined : nameBy(naming, workload, diagnostics);
    return naming === undefined || name === undefined
      ? new ComponentDraft("workload", index.shortest(workload), { by: "identifier" }, workload)
      : new ComponentDraft("workload", name, { by: "function", source: naming.source }, workload);
  });
  return { drafts, diagnostics };
}

function nameBy(
  naming: NameWorkloadsDirective,
  workload: AssemblyObject,
  diagnostics: Diagnostic[],
): string | undefined {
  const { kind, group, namespace, given } = workload;
  const name = naming.nameOf({ name: workload.name, kind, namespace, group });
  if (typeof name !== "string") {
    diagnostics.push(name);
    return undefined;
  }
  if (name.trim() !== "") return name;
  const subject = fullIdentifier(workload);
  diagnostics.push({
    code: "assembly.invalid-name",
    severity: "error",
    summary: `the naming function gives ${subject} an empty name`,
    detail: `The workload is at ${formatPosition(given.sourceOf())}.`,
    hint: "Return a name for every workload, for example its own.",
    subject,
    source: naming.source,
  });
  return undefined;
}
