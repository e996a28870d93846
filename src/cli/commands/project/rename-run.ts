import { takeOverFields } from "../../../apply/index.ts";
import type { Cluster } from "../../../cluster/index.ts";
import { referenceTo } from "../../../cluster/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import {
  addToHistory,
  type GroupReference,
  loadInventory,
  resourceNameAnnotation,
  saveInventory,
  whileHolding,
} from "../../../inventory/index.ts";
import { identityKey, type KubernetesObject } from "../../../objects/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import { isProvisionedObject, waitsForAnnotation, waitsForNames } from "../../../plan/index.ts";
import { idOfName, isInPlace, typeOfName } from "../../../resources/index.ts";
import type { CommandHandler } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { exitCode } from "../../exit-code.ts";
import { leaseHolder } from "../live/live-run.ts";
import { projectGroup } from "../../../engine/index.ts";
import { openProject } from "./open-project.ts";
import { loadRecorded } from "./recorded.ts";
import type { RenameFlags } from "./rename.ts";

export const runRename: CommandHandler<RenameFlags, [string, string]> = async (
  context,
  flags,
  old,
  next,
) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const { stdout } = context.process;
  try {
    const group = projectGroup(project, opened.namespace);
    const recorded = await loadRecorded(opened.cluster, group);
    const moves = planMoves(recorded, project.env, old, next);
    for (const { from, to } of moves)
      stdout.write(
        flags.output === "json"
          ? `${JSON.stringify({ type: "rename", from: from.name, to, dryRun: flags.dryRun })}\n`
          : `${flags.dryRun ? "would rename " : ""}${from.name} → ${to}\n`,
      );
    if (flags.dryRun) return exitCode.success;
    await confirm(context, `Rename ${moves.length === 1 ? "it" : `these ${moves.length}`}?`, flags);
    const names = new Map(moves.map(({ from, to }) => [from.name, to]));
    const holder = leaseHolder();
    const hold = { holder, waitMs: leaseWaitMs };
    await whileHolding(opened.cluster, group, hold, async (fenced) => {
      // Those who wait for something remember it by its name.
      for (const { name, object } of recorded.values())
        await rename(fenced, object, names.get(name), names);
      await rememberMoves(fenced, group, holder, moves);
    });
    return exitCode.success;
  } finally {
    await opened.cluster.close();
  }
};

const leaseWaitMs = 60_000;

/** Writes into the history what the resources were called before. */
async function rememberMoves(
  cluster: Cluster,
  group: GroupReference,
  by: string,
  moves: readonly Move[],
): Promise<void> {
  const inventory = await loadInventory(cluster, group);
  const history = addToHistory(inventory.history, {
    at: new Date().toISOString(),
    by,
    command: "rename",
    counts: { renamed: moves.length },
    objects: moves.map(({ from }) => ({
      key: identityKey(from.identity),
      action: "renamed",
      was: from.name,
    })),
  });
  const entries = inventory.parts.flatMap((part) => part.entries);
  await saveInventory(cluster, { ...inventory, history }, entries, inventory.statuses);
}

interface Move {
  readonly from: RecordedResource;
  readonly to: string;
}

/** The resources that a name means, and what they are to be called. */
function planMoves(
  recorded: ReadonlyMap<string, RecordedResource>,
  env: string,
  old: string,
  next: string,
): readonly Move[] {
  const moves = isPlace(old)
    ? movesOfPlace(recorded, env, old, next)
    : movesOfResource(recorded, env, old, next);
  const leaving = new Set(moves.map(({ from }) => from.name));
  const taken = moves.find(({ to }) => recorded.has(to) && !leaving.has(to));
  if (taken !== undefined)
    fail({ code: "program.name-taken", summary: `there is a resource ${taken.to} already` });
  return moves;
}

/** Whether a name ends where the type of a resource would begin: it is a module, or a class in one. */
function isPlace(name: string): boolean {
  return !name.includes("#") && name.split(":").length === partsOfPlace;
}

/** Environment, project, and module with its class. */
const partsOfPlace = 3;

function movesOfPlace(
  recorded: ReadonlyMap<string, RecordedResource>,
  env: string,
  old: string,
  next: string,
): readonly Move[] {
  const inside = [...recorded.values()].filter(({ name }) => isInPlace(name, old));
  if (inside.length === 0) refuseUnknown(old);
  if (!isPlace(next) || !next.startsWith(`${env}:`))
    fail({
      code: "program.name-taken",
      summary: `${JSON.stringify(next)} is no module or class in the environment ${env}`,
      hint: `all resources in ${old} are renamed together: name another one, ${env}:<project>:<module> or ${env}:<project>:<module>/<class>`,
    });
  return inside.map((from) => ({ from, to: `${next}${from.name.slice(old.length)}` }));
}

/** The resource and all that was allocated inside of it: their ids begin with its own. */
function movesOfResource(
  recorded: ReadonlyMap<string, RecordedResource>,
  env: string,
  old: string,
  next: string,
): readonly Move[] {
  const first = recorded.get(old);
  const inside = (name: string): string | undefined => {
    const [id, around] = [idOfName(name), idOfName(old)];
    return around !== undefined && id?.startsWith(`${around}/`) === true
      ? id.slice(around.length + 1)
      : undefined;
  };
  const children = [...recorded.values()].filter(({ name }) => inside(name) !== undefined);
  if (first === undefined && children.length === 0) refuseUnknown(old);
  if (!next.startsWith(`${env}:`) && !next.startsWith(`${env}#`)) {
    fail({
      code: "program.name-taken",
      summary: `${JSON.stringify(next)} is no name in the environment ${env}`,
      hint: `a name here begins with "${env}:", and a resource keeps its type: ${env}:<module>:${typeOfName(old)}#<id>`,
    });
  }
  if (typeOfName(old) !== typeOfName(next)) {
    fail({
      code: "program.name-taken",
      summary: `${old} is a ${typeOfName(old)}, and ${next} would be a ${typeOfName(next)}`,
      hint: "a resource keeps its type",
    });
  }
  return [
    ...(first === undefined ? [] : [{ from: first, to: next }]),
    ...children.map((from) => ({
      from,
      to: `${from.name.split("#")[0] ?? ""}#${idOfName(next) ?? ""}/${inside(from.name) ?? ""}`,
    })),
  ];
}

function refuseUnknown(name: string): never {
  return fail({
    code: "program.unknown-resource",
    summary: `there is no resource ${JSON.stringify(name)}`,
    hint: "`keelson names` lists all resources; a module or class means all that is in it",
  });
}

/** Writes the new name of an object, and the new names of what it waits for. */
async function rename(
  cluster: Cluster,
  object: KubernetesObject,
  to: string | undefined,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const waitsFor = waitsForNames(object);
  const annotations = {
    ...(to === undefined ? {} : { [resourceNameAnnotation]: to }),
    ...(waitsFor.some((name) => names.has(name))
      ? {
          [waitsForAnnotation]: JSON.stringify(
            waitsFor.map((name) => names.get(name) ?? name).sort(),
          ),
        }
      : {}),
  };
  if (Object.keys(annotations).length === 0) return;
  const patch =
    to !== undefined && isProvisionedObject(object)
      ? { metadata: { annotations }, spec: { name: to } }
      : { metadata: { annotations } };
  const renamed = await cluster.patch(referenceTo(object), "merge", patch, { fieldManager });
  await takeOverFields(cluster, renamed, fieldManager);
}

const fieldManager = "keelson";
