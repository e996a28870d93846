import { DiagnosticError } from "../../../diagnostics/index.ts";
import {
  checkGroup,
  chooseGroup,
  type GroupReference,
  groupOfObject,
  idOfGroup,
  isResourceGroup,
} from "../../../inventory/index.ts";
import type { CliContext } from "../../context.ts";
import { inventoryName, type Project } from "../../source/project.ts";
import { readSource, type Source } from "../../source/read-source.ts";
import { isDeployed } from "../live/load-package.ts";

/** The inventory of a project: the one that its input names, else `<project>-<env>`. */
export async function loadProject(
  context: CliContext,
  input: string,
  project: Project,
  opened: { readonly namespace: string; readonly context?: string | undefined },
): Promise<{ readonly group: GroupReference; readonly source: Source }> {
  const source = await readSource(context, [input], { ...opened, env: project.env });
  if (source.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(source.diagnostics);
  const groups = source.objects
    .filter(({ object }) => isResourceGroup(object))
    .map(({ object, file }) => groupOfObject(object, file));
  const group =
    groups.length === 0
      ? projectGroup(project, opened.namespace)
      : chooseGroup({ groups, kptfile: undefined, fromStream: false });
  return { group, source: { ...source, objects: source.objects.filter(isDeployed) } };
}

export function projectGroup(project: Project, namespace: string): GroupReference {
  const name = inventoryName(project);
  return checkGroup({ name, namespace, id: idOfGroup(name, namespace), source: "the project" });
}
