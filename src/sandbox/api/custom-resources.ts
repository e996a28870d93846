import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { crdSchema } from "../../schema/index.ts";
import type {
  CustomResource,
  PrinterColumn,
  ScalePaths,
  ServedResource,
} from "./served-resource.ts";

/** The parts of a definition that serving needs. */
interface DefinitionSpec {
  readonly group: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly names: {
    readonly plural: string;
    readonly singular?: string;
    readonly kind: string;
    readonly listKind?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  readonly versions: readonly DefinitionVersion[];
}

interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonObject };
  readonly subresources?: {
    readonly status?: unknown;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
};

export function isEstablished(definition: KubernetesObject): boolean {
  const status = definition["status"] as
    | { conditions?: readonly { type: string; status: string }[] }
    | undefined;
  return (
    status?.conditions?.some(
      ({ type, status: value }) => type === "Established" && value === "True",
    ) ?? false
  );
}

/** The served versions of an established definition, with the one that clients prefer first. */
export function customResources(definition: KubernetesObject): readonly ServedResource[] {
  if (!isEstablished(definition)) return [];
  const spec = definition["spec"] as DefinitionSpec;
  const { group, names, versions } = spec;
  const storage = versions.find((version) => version.storage);
  if (storage === undefined) return [];
  const served = versions.filter((version) => version.served);
  return [...served]
    .sort((left, right) => compareVersions(left.name, right.name))
    .map((version) => ({
      group,
      version: version.name,
      resource: names.plural,
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      singular: names.singular ?? names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: spec.scope === "Namespaced",
      verbs,
      subresources: subresourcesOf(version, names.kind),
      storageKey: `${group}/${names.plural}`,
      storageVersion: storage.name,
      schema: crdSchema(version.schema?.openAPIV3Schema),
      custom: customOf(definition, version),
    }));
}

function customOf(definition: KubernetesObject, version: DefinitionVersion): CustomResource {
  const scale = version.subresources?.scale;
  const columns = version.additionalPrinterColumns ?? [];
  return {
    definition,
    statusSubresource: version.subresources?.status !== undefined,
    ...(scale === undefined ? {} : { scale: scalePaths(scale) }),
    columns: columns.length === 0 ? [ageColumn] : columns,
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) =>
      jsonPath.replace(/^\./, ""),
    ),
    ...(version.deprecated === true
      ? { deprecationWarning: deprecationWarning(definition, version) }
      : {}),
  };
}

function deprecationWarning(definition: KubernetesObject, version: DefinitionVersion): string {
  const { group, names, versions } = definition["spec"] as DefinitionSpec;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const text = `${group}/${version.name} ${names.kind} is deprecated`;
  const [newer] = versions
    .filter(
      (each) =>
        each.served && each.deprecated !== true && compareVersions(each.name, version.name) < 0,
    )
    .map(({ name }) => name)
    .sort(compareVersions);
  return newer === undefined ? text : `${text}; use ${group}/${newer} ${names.kind}`;
}

function scalePaths(
  scale: NonNullable<NonNullable<DefinitionVersion["subresources"]>["scale"]>,
): ScalePaths {
  return {
    specReplicas: scale.specReplicasPath,
    statusReplicas: scale.statusReplicasPath,
    ...(scale.labelSelectorPath === undefined ? {} : { labelSelector: scale.labelSelectorPath }),
  };
}

function subresourcesOf(
  { subresources }: DefinitionVersion,
  kind: string,
): ServedResource["subresources"] {
  const found: ServedResource["subresources"][number][] = [];
  const partVerbs = ["get", "patch", "update"];
  if (subresources?.status !== undefined) found.push({ name: "status", kind, verbs: partVerbs });
  if (subresources?.scale !== undefined) {
    found.push({
      name: "scale",
      kind: "Scale",
      group: "autoscaling",
      version: "v1",
      verbs: partVerbs,
    });
  }
  return found;
}

const versionPattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** The order in which clients prefer versions: stable, beta, alpha, each newest first. */
export function compareVersions(left: string, right: string): number {
  const a = versionRank(left);
  const b = versionRank(right);
  if (a === undefined || b === undefined) {
    if (a === b) return left < right ? -1 : 1;
    return a === undefined ? 1 : -1;
  }
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

function versionRank(version: string): readonly number[] | undefined {
  const match = versionPattern.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  const maturity = stage === undefined ? 2 : stage === "beta" ? 1 : 0;
  return [maturity, Number(major), Number(minor ?? 0)];
}
