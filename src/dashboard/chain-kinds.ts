import {
  blueprintGroups,
  blueprintVersion,
  families,
  isBlueprintGroup,
  templateKinds,
} from "../blueprints/index.ts";
import { bundleApiVersion, bundleGroup, bundleKinds, isBundle } from "../bundles/index.ts";
import type { ObjectKind, ResourceIndex } from "../cluster/index.ts";
import { fieldAt, objectsIn } from "../json/index.ts";
import { groupOf, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { objectsOfBundle } from "./bundle-owner.ts";
import { textOf } from "./text-of.ts";

const ownerKinds = families.map(({ ownerKind }) => ownerKind);
const kinds = [
  ...ownerKinds,
  ...families.map(({ blueprintKind }) => blueprintKind),
  ...templateKinds,
];

/** The kinds of supply chains and bundles that a cluster serves: owners, blueprints and templates. */
export function chainKinds(resources: ResourceIndex): readonly ObjectKind[] {
  const chains = blueprintGroups.flatMap((group) =>
    kinds
      .filter((kind) => resources.preferred(group, kind) !== undefined)
      .map((kind) => ({ apiVersion: `${group}/${blueprintVersion}`, kind })),
  );
  const bundles = bundleKinds
    .filter((kind) => resources.preferred(bundleGroup, kind) !== undefined)
    .map((kind) => ({ apiVersion: bundleApiVersion, kind }));
  return [...chains, ...bundles];
}

export function isOwnerKind({ apiVersion, kind }: ObjectKind): boolean {
  return (
    (isBlueprintGroup(groupOf(apiVersion)) && ownerKinds.some((each) => each === kind)) ||
    isBundle({ apiVersion, kind })
  );
}

/** What supply chains are made of: it holds what is going to run, and runs nothing itself. */
export function isPlatformKind(kind: ObjectKind): boolean {
  return isBlueprintGroup(groupOf(kind.apiVersion)) && !isOwnerKind(kind);
}

/** What a step of an owner says that it has stamped. */
export function stampedReference(step: unknown): ObjectIdentity | undefined {
  const text = (field: string): string => textOf(fieldAt(step, "stampedRef", field));
  const identity = {
    group: groupOf(text("apiVersion")),
    kind: text("kind"),
    namespace: text("namespace"),
    name: text("name"),
  };
  return identity.kind === "" || identity.name === "" ? undefined : identity;
}

export function stampedReferences(owner: KubernetesObject): readonly ObjectIdentity[] {
  if (isBundle(owner)) return objectsOfBundle(owner);
  return objectsIn(fieldAt(owner, "status", "resources")).flatMap(
    (step) => stampedReference(step) ?? [],
  );
}
