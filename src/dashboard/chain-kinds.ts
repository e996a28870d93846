import {
  blueprintGroups,
  blueprintVersion,
  families,
  isBlueprintGroup,
  templateKinds,
} from "../blueprints/index.ts";
import type { ObjectKind, ResourceIndex } from "../cluster/index.ts";
import {
  fieldAt,
  groupOf,
  type KubernetesObject,
  type ObjectIdentity,
  objectsIn,
} from "../objects/index.ts";
import { textOf } from "./text-of.ts";

const ownerKinds = families.map(({ ownerKind }) => ownerKind);
const kinds = [
  ...ownerKinds,
  ...families.map(({ blueprintKind }) => blueprintKind),
  ...templateKinds,
];

/** The kinds of supply chains that a cluster serves: owners, blueprints and templates. */
export function chainKinds(resources: ResourceIndex): readonly ObjectKind[] {
  return blueprintGroups.flatMap((group) =>
    kinds
      .filter((kind) => resources.preferred(group, kind) !== undefined)
      .map((kind) => ({ apiVersion: `${group}/${blueprintVersion}`, kind })),
  );
}

export function isOwnerKind({ apiVersion, kind }: ObjectKind): boolean {
  return isBlueprintGroup(groupOf(apiVersion)) && ownerKinds.some((each) => each === kind);
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
  return objectsIn(fieldAt(owner, "status", "resources")).flatMap(
    (step) => stampedReference(step) ?? [],
  );
}
