import { isJsonObject } from "../../json/index.ts";
import type { GivenName } from "../name-book.ts";
import type { ResourceArguments } from "../read-arguments.ts";
import type { NameScope } from "../resource-name.ts";
import type { KubernetesObjectRecord } from "../resource-record.ts";
import type { KubernetesKind } from "./kubernetes-kind.ts";
import { nameFromId, nameFromScope, shortHash, withSuffix } from "./object-name.ts";

interface ObjectPlace {
  readonly scope: NameScope;
  readonly given: GivenName;
  readonly read: ResourceArguments;
  readonly globalId: string | undefined;
}

/** Decides how the object of a Kubernetes resource is named. */
export function kubernetesObjectRecord(
  kind: KubernetesKind,
  place: ObjectPlace,
): KubernetesObjectRecord {
  const naming = place.read.options.naming ?? "fixed";
  const metadata = place.read.props["metadata"];
  const written = isJsonObject(metadata) ? metadata["name"] : undefined;
  if (written !== undefined && written !== "") {
    return { kind, name: undefined, isGenerated: false, naming };
  }
  const prefix = isJsonObject(metadata) ? metadata["generateName"] : undefined;
  const name =
    typeof prefix === "string" && prefix !== ""
      ? withSuffix(prefix.replace(/-+$/, ""), shortHash(place.given.name))
      : generatedName(kind, place);
  return { kind, name, isGenerated: true, naming };
}

function generatedName(
  kind: KubernetesKind,
  { scope, given, read, globalId }: ObjectPlace,
): string {
  if (globalId !== undefined) return nameFromId(globalId);
  if (read.explicitId !== undefined) return nameFromId(given.instance?.id ?? read.explicitId);
  return nameFromScope(scope.class ?? moduleName(scope.module), kind.kind, given.name);
}

function moduleName(module: string): string {
  return module.slice(module.indexOf(":") + 1);
}
