import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Diagnostic, DiagnosticError, fail, shellWord } from "../../diagnostics/index.ts";
import {
  chooseGroup,
  groupOfConfigMap,
  type GroupReference,
  groupOfObject,
  inventoryOfKptfile,
  isConfigMapInventory,
  isResourceGroup,
  kptfileInventory,
} from "../../inventory/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  readObjects,
  type SourcedObject,
} from "../../objects/index.ts";
import type { EngineHost } from "../host.ts";
import { groupsOfInput } from "./groups-of-input.ts";
import { isDeployed } from "./is-deployed.ts";
import { readSource, type ReadSourceOptions, type Source } from "./read-source.ts";

export interface LoadedPackage {
  readonly group: GroupReference;
  readonly source: Source;
  /** Something of the input cannot be named: it may be any object that is owned, so none is pruned. */
  readonly isPartial?: boolean;
}

const mostListed = 20;

/** Reads a directory, a stream or a Tiltfile: its one inventory, and what belongs to it. */
export async function loadPackage(
  host: EngineHost,
  input: string,
  rgFile: string | undefined,
  options: ReadSourceOptions,
): Promise<LoadedPackage> {
  const fromStream = input === "-";
  const path = fromStream ? input : resolve(host.workingDirectory, input);
  const source = await readSource(host, [path], options);
  const files = groupFiles(host, path, rgFile, source);
  const beside = await readObjects(files);
  const diagnostics = [
    ...source.diagnostics,
    ...beside.diagnostics,
    ...ignoredWarning(beside.objects.filter(isDeployed)),
  ];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const isRest = source.kind === "objects" && source.isRest === true && !hasErrors(beside);
  if (errors.length > 0 && !isRest) throw new DiagnosticError(diagnostics);
  requireGroup(rgFile, files.length === 0 ? source.objects : beside.objects);
  const read = [...source.objects, ...beside.objects];
  const { own, inside } = groupsOfInput(source.objects);
  const given = groupsOfInput(beside.objects).own;
  const groups = [...own, ...given];
  const kptfile = await kptfileOf(host, path, rgFile, groups, source);
  const configMaps = read
    .filter(({ object }) => isConfigMapInventory(object))
    .map(({ object, file }) => groupOfConfigMap(object, file));
  if (groups.length === 0 && kptfile === undefined && configMaps.length === 0)
    refuseInside(host, path, inside);
  const group = chooseGroup({ groups, kptfile, configMaps, fromStream });
  const objects = source.objects.filter(isDeployed);
  const isPartial = !errors.every((error) => isNamed(error, read));
  return { group, source: { ...source, objects, diagnostics }, isPartial };
}

function hasErrors({ diagnostics }: Pick<Source, "diagnostics">): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** Whether an error says which object of the input is wrong. */
function isNamed({ object }: Diagnostic, read: readonly SourcedObject[]): boolean {
  if (object === undefined || object.name === "") return false;
  const key = identityKey(object);
  return read.some((each) => identityKey(identityOf(each.object)) === key);
}

/** A package inside of a folder is not the folder. */
function refuseInside(host: EngineHost, path: string, inside: readonly GroupReference[]): void {
  const [first] = inside;
  if (first === undefined) return;
  const shown = (each: string): string => relative(host.workingDirectory, each) || ".";
  const folder = shown(dirname(resolve(host.workingDirectory, first.source)));
  fail({
    code: "live.no-group",
    summary: `${shown(path)} has no ResourceGroup of its own; ${join(folder, basename(first.source))} is that of a package inside of it`,
    hint: `Name that package (${shellWord(folder)}), or make one of the whole folder with \`keelson live init ${shellWord(shown(path))}\`.`,
  });
}

/** A file that is read for its ResourceGroup brings nothing else: it would look as if it were applied. */
function ignoredWarning(ignored: readonly SourcedObject[]): readonly Diagnostic[] {
  const [first] = ignored;
  if (first === undefined) return [];
  return [
    {
      code: "live.ignored-objects",
      severity: "warning",
      summary: `${first.file} is read for its ResourceGroup only; ${ignored.length === 1 ? "another object in it is" : `${ignored.length} other objects in it are`} ignored`,
      detail: ignored
        .slice(0, mostListed)
        .map(({ object }) => formatIdentity(identityOf(object)))
        .join("\n"),
      hint: "give what is to be applied as the input",
      source: first.sourceOf(),
    },
  ];
}

/** From standard input a Kptfile, in it or beside it, only decides what is suggested where no group is given. */
async function kptfileOf(
  host: EngineHost,
  path: string,
  rgFile: string | undefined,
  groups: readonly GroupReference[],
  { objects }: Source,
): Promise<GroupReference | undefined> {
  if (path === "-") {
    if (groups.length > 0) return undefined;
    const inside = objects.flatMap(({ object, file }) => inventoryOfKptfile(object, file) ?? []);
    return inside[0] ?? readKptfile(host.workingDirectory);
  }
  return rgFile === undefined ? readKptfile(path) : undefined;
}

/** The inventory alone, for commands that do not read the rest. */
export async function loadGroup(
  host: EngineHost,
  input: string,
  rgFile: string | undefined,
): Promise<GroupReference> {
  if (rgFile === undefined && input !== "-") {
    const folder = resolve(host.workingDirectory, input);
    const file = join(folder, "resourcegroup.yaml");
    const kptfile = await readKptfile(folder);
    if (existsSync(file)) return loadGroupFile(host, file, kptfile);
    if (kptfile !== undefined) return chooseGroup({ groups: [], kptfile, fromStream: false });
  }
  if (rgFile !== undefined)
    return loadGroupFile(host, resolve(host.workingDirectory, rgFile), undefined);
  return (await loadPackage(host, input, undefined, {})).group;
}

async function loadGroupFile(
  host: EngineHost,
  file: string,
  kptfile: GroupReference | undefined,
): Promise<GroupReference> {
  const read = await readObjects([file], { stdin: host.stdin });
  if (read.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(read.diagnostics);
  requireGroup(relative(host.workingDirectory, file), read.objects);
  const groups = read.objects
    .filter(({ object }) => isResourceGroup(object))
    .map(({ object }) => groupOfObject(object, file));
  return chooseGroup({ groups, kptfile, fromStream: false });
}

/** A file that is given for the ResourceGroup must have one. */
function requireGroup(rgFile: string | undefined, objects: readonly SourcedObject[]): void {
  if (rgFile === undefined || objects.some(({ object }) => isResourceGroup(object))) return;
  fail({
    code: "live.no-group",
    summary: `${rgFile} holds no ResourceGroup`,
    hint: `make one with \`keelson live init --rg-file FILE\`, in a file that is not there yet`,
  });
}

/** The file of --rg-file, unless the input brings it anyway; a Tiltfile has it beside itself. */
function groupFiles(
  host: EngineHost,
  path: string,
  rgFile: string | undefined,
  source: Source,
): readonly string[] {
  const isTiltfile = source.kind === "tiltfile";
  if (rgFile === undefined) {
    const own = join(isFolder(path) ? path : dirname(path), "resourcegroup.yaml");
    return isTiltfile && existsSync(own) ? [own] : [];
  }
  const file = resolve(host.workingDirectory, rgFile);
  if (!existsSync(file)) {
    fail({
      code: "objects.file-missing",
      summary: `${rgFile} does not exist`,
      hint: `make it with \`keelson live init --rg-file ${shellWord(rgFile)}\``,
    });
  }
  const isInside =
    !isTiltfile &&
    path !== "-" &&
    isFolder(path) &&
    file.startsWith(`${path}/`) &&
    /\.(?:ya?ml|json)$/.test(file);
  return isInside ? [] : [file];
}

/** The directory of a package, for commands that change its files. */
export function packageFolder(host: EngineHost, directory: string): string {
  const folder = resolve(host.workingDirectory, directory);
  if (!existsSync(folder))
    fail({
      code: "objects.file-missing",
      summary: `${directory} does not exist`,
      hint: `mkdir -p ${shellWord(directory)}`,
    });
  if (!isFolder(folder))
    fail({
      code: "live.not-a-package",
      summary: `${directory} is a file; a package is a directory`,
      hint: `name its directory: ${shellWord(dirname(directory))}`,
    });
  return folder;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

export async function readKptfile(folder: string): Promise<GroupReference | undefined> {
  const file = join(isFolder(folder) ? folder : ".", "Kptfile");
  return existsSync(file) ? kptfileInventory(readFileSync(file, "utf8"), file) : undefined;
}

/** The inventory of the old kind whose template lies in a folder; two of them are an error. */
export async function readConfigMapInventory(folder: string): Promise<GroupReference | undefined> {
  const read = await readObjects([folder], {});
  const wrong = read.diagnostics.filter(({ severity }) => severity === "error");
  if (wrong.some(({ code }) => code !== "objects.directory-empty"))
    throw new DiagnosticError(read.diagnostics);
  const found = read.objects
    .filter(({ object }) => isConfigMapInventory(object))
    .map(({ object, file }) => groupOfConfigMap(object, file));
  return found.length < 2
    ? found[0]
    : chooseGroup({ groups: found, kptfile: undefined, fromStream: false });
}
