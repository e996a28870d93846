import { checkGroup, chooseGroup, type GroupReference, idOfGroup } from "../../inventory/index.ts";
import { readObjects, type SourcedObject } from "../../objects/index.ts";
import type { ClusterReads } from "../../observe/index.ts";
import type { KnownOutputs } from "../../resources/index.ts";
import type { EngineHost } from "../host.ts";
import { groupsOfInput } from "./groups-of-input.ts";
import { inputPaths } from "./input-paths.ts";
import { programPath } from "./program-path.ts";
import { inventoryName } from "../../sources/program/inventory-name.ts";
import type { Project } from "./project.ts";
import { readSource, type Source } from "./read-source.ts";
import { requireValid } from "./require-valid.ts";
import { tiltfilePath } from "./tiltfile-path.ts";
import { isDeployed } from "./is-deployed.ts";

/** How far a program may be evaluated that decides on what is not known yet. */
export interface StageOptions {
  /** What earlier stages made known. */
  readonly outputs?: KnownOutputs;
  /** Whether a decision on something unknown ends the stage rather than the run. */
  readonly allowsDecisions?: boolean;
}

export interface LoadedProject {
  readonly group: GroupReference;
  readonly source: Source;
  /** The program goes on when what it has asked for so far is there. */
  readonly isPartial: boolean;
}

/** The inventory of a project: the one that its input names, else `<project>-<env>`. */
export async function loadProject(
  host: EngineHost,
  input: string,
  project: Project,
  opened: {
    readonly namespace: string;
    readonly context?: string | undefined;
    readonly reads?: ClusterReads | undefined;
    /** Settings for a Tiltfile. */
    readonly args?: readonly string[];
  },
  stage: StageOptions = {},
): Promise<LoadedProject> {
  const source = await readSource(host, [input], {
    ...opened,
    env: project.env,
    stage: stage.outputs,
  });
  const errors = source.diagnostics.filter(({ severity }) => severity === "error");
  const isPartial =
    stage.allowsDecisions === true &&
    errors.length > 0 &&
    errors.every(({ code }) => code === "program.provisioned-decision");
  if (!isPartial) await requireValid(source);
  return {
    group: groupOfSource(source, project, opened.namespace),
    isPartial,
    source: {
      ...source,
      objects: source.objects.filter(isDeployed),
      // What a later stage will know is no error in this one.
      diagnostics: isPartial ? [] : source.diagnostics,
    },
  };
}

/** The inventory that the objects of a source name, else that of the project. */
export function groupOfSource(
  { objects }: Source,
  project: Project,
  namespace: string,
): GroupReference {
  return groupAmong(objects, project, namespace);
}

/** The same inventory without evaluating anything, for commands that work on what was applied. */
export async function appliedGroup(
  host: EngineHost,
  input: string,
  project: Project,
  namespace: string,
): Promise<GroupReference> {
  const [path = input] = inputPaths(host, [input]);
  const isCode = ((await tiltfilePath(path)) ?? (await programPath(path))) !== undefined;
  // Nobody types an input in order to look at what was made of it.
  if (isCode || (path === "-" && host.stdin.isTTY === true))
    return projectGroup(project, namespace);
  const { objects } = await readObjects([path], { stdin: host.stdin });
  return groupAmong(objects, project, namespace);
}

function groupAmong(
  objects: readonly SourcedObject[],
  project: Project,
  namespace: string,
): GroupReference {
  const { own: groups } = groupsOfInput(objects);
  return groups.length === 0
    ? projectGroup(project, namespace)
    : chooseGroup({ groups, kptfile: undefined, fromStream: false });
}

export function projectGroup(project: Project, namespace: string): GroupReference {
  const name = inventoryName(project);
  return checkGroup({ name, namespace, id: idOfGroup(name, namespace), source: "the project" });
}
