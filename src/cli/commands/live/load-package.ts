import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Cluster } from "../../../cluster/index.ts";
import { type Diagnostic, DiagnosticError, fail } from "../../../diagnostics/index.ts";
import {
  chooseGroup,
  groupOfConfigMap,
  type GroupReference,
  groupOfObject,
  isConfigMapInventory,
  isResourceGroup,
  kptfileInventory,
} from "../../../inventory/index.ts";
import {
  defaultNamespaces,
  duplicateObjects,
  type KnownScope,
  readObjects,
  scopeLookup,
  type SourcedObject,
} from "../../../objects/index.ts";
import type { CliContext } from "../../context.ts";

export interface LoadedPackage {
  readonly group: GroupReference;
  readonly objects: readonly SourcedObject[];
  readonly warnings: readonly Diagnostic[];
}

const localConfig = "config.kubernetes.io/local-config";

/** Reads a directory or a stream: its one inventory, and the objects that belong to it. */
export async function loadPackage(
  context: CliContext,
  input: string,
  rgFile: string | undefined,
): Promise<Omit<LoadedPackage, "warnings"> & { readonly warnings: readonly Diagnostic[] }> {
  const fromStream = input === "-";
  const path = fromStream ? input : resolve(context.workingDirectory, input);
  const files = [path, ...groupFiles(context, path, rgFile)];
  const read = await readObjects(files, { stdin: context.stdin });
  const errors = read.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new DiagnosticError(read.diagnostics);
  const groups = read.objects
    .filter(({ object }) => isResourceGroup(object))
    .map(({ object, file }) => groupOfObject(object, file));
  const kptfileFolder = fromStream ? context.workingDirectory : path;
  const kptfile = rgFile === undefined || fromStream ? await readKptfile(kptfileFolder) : undefined;
  const configMaps = read.objects
    .filter(({ object }) => isConfigMapInventory(object))
    .map(({ object, file }) => groupOfConfigMap(object, file));
  const group = chooseGroup({ groups, kptfile, configMaps, fromStream });
  const objects = read.objects.filter(
    ({ object }) =>
      !isResourceGroup(object) &&
      !isConfigMapInventory(object) &&
      object.metadata.annotations?.[localConfig] !== "true" &&
      object.kind !== "Kptfile",
  );
  return { group, objects, warnings: read.diagnostics };
}

/** The inventory alone, for commands that do not read the rest. */
export async function loadGroup(
  context: CliContext,
  input: string,
  rgFile: string | undefined,
): Promise<GroupReference> {
  if (rgFile === undefined && input !== "-") {
    const folder = resolve(context.workingDirectory, input);
    const file = join(folder, "resourcegroup.yaml");
    if (existsSync(file)) return (await loadPackageFile(context, file)).group;
    const kptfile = await readKptfile(folder);
    if (kptfile !== undefined) return chooseGroup({ groups: [], kptfile, fromStream: false });
  }
  if (rgFile !== undefined)
    return (await loadPackageFile(context, resolve(context.workingDirectory, rgFile))).group;
  return (await loadPackage(context, input, undefined)).group;
}

async function loadPackageFile(
  context: CliContext,
  file: string,
): Promise<{ readonly group: GroupReference }> {
  const read = await readObjects([file], { stdin: context.stdin });
  if (read.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(read.diagnostics);
  const groups = read.objects
    .filter(({ object }) => isResourceGroup(object))
    .map(({ object }) => groupOfObject(object, file));
  return { group: chooseGroup({ groups, kptfile: undefined, fromStream: false }) };
}

/** The file of --rg-file, unless the input brings it anyway. */
function groupFiles(
  context: CliContext,
  path: string,
  rgFile: string | undefined,
): readonly string[] {
  if (rgFile === undefined) return [];
  const file = resolve(context.workingDirectory, rgFile);
  if (!existsSync(file)) {
    fail({
      code: "objects.file-missing",
      summary: `${rgFile} does not exist`,
      hint: `make it with \`keelson live init --rg-file ${rgFile}\``,
    });
  }
  const isInside =
    path !== "-" && isFolder(path) && file.startsWith(`${path}/`) && /\.(?:ya?ml|json)$/.test(file);
  return isInside ? [] : [file];
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
  if (!isFolder(folder)) return undefined;
  const read = await readObjects([folder], {});
  if (read.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(read.diagnostics);
  const found = read.objects
    .filter(({ object }) => isConfigMapInventory(object))
    .map(({ object, file }) => groupOfConfigMap(object, file));
  return found.length < 2
    ? found[0]
    : chooseGroup({ groups: found, kptfile: undefined, fromStream: false });
}

/** Fills in namespaces and refuses contradictions, with the scopes that the cluster knows. */
export async function completeObjects(
  cluster: Cluster,
  objects: readonly SourcedObject[],
  namespace: string,
): Promise<{
  readonly objects: readonly SourcedObject[];
  readonly warnings: readonly Diagnostic[];
}> {
  const resources = await cluster.resources();
  const discovered = resources.all.map(({ group, kind, namespaced }): KnownScope => ({
    group,
    kind,
    scope: namespaced ? "namespaced" : "cluster",
  }));
  const scopeOf = scopeLookup({ discovered, objects: objects.map(({ object }) => object) });
  const defaulted = defaultNamespaces(objects, scopeOf, namespace);
  const diagnostics = [...defaulted.diagnostics, ...duplicateObjects(defaulted.objects)];
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
  return { objects: defaulted.objects, warnings: diagnostics };
}
