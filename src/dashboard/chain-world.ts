import { blueprintGroups, families, familyOfOwner } from "../blueprints/index.ts";
import { isBundle } from "../bundles/index.ts";
import type { ObjectKind } from "../cluster/index.ts";
import { fieldAt, type JsonObject, objectsIn } from "../json/index.ts";
import { groupOf, identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import { type Readiness, type ReadinessContext, readinessOf } from "../readiness/index.ts";
import { bundleOwner } from "./bundle-owner.ts";
import { chainKinds, isOwnerKind, stampedReference } from "./chain-kinds.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import { explainedVerdict, ownerVerdict } from "./step-verdicts.ts";
import { textOf } from "./text-of.ts";
import { stateVersion } from "./state-version.ts";
import type { WorldObject } from "./world.ts";

/** Supply chains and bundles as they are at one moment. */
export interface ChainWorld {
  readonly owners: readonly WorldOwner[];
  /** Blueprints and templates, of both groups. */
  readonly platform: readonly KubernetesObject[];
  readonly definitions: readonly KubernetesObject[];
}

export interface WorldOwner {
  readonly key: string;
  readonly object: KubernetesObject;
  readonly verdict: Readiness;
  readonly blueprint: string;
  readonly steps: readonly WorldStep[];
  readonly version: string;
}

export interface WorldStep {
  readonly name: string;
  readonly template: string;
  readonly takes: readonly string[];
  readonly verdict: Readiness;
  /** What the owner says of it. */
  readonly status: JsonObject;
  readonly stamped: WorldObject | undefined;
}

export function chainWorldOf(watch: ClusterWatch, context: ReadinessContext): ChainWorld {
  const kinds = watch.resources === undefined ? [] : chainKinds(watch.resources);
  const platform = kinds
    .filter((kind) => !isOwnerKind(kind))
    .flatMap((kind) => watch.everywhere(kind));
  const versions = new Map(
    blueprintGroups.map((group) => [group, stateVersion(platform.filter(isOf(group)))]),
  );
  return {
    platform,
    definitions: watch.definitions,
    owners: watch.owners().map((object) => {
      if (isBundle(object)) return bundleOwner(watch, object, context);
      const steps = objectsIn(fieldAt(object, "status", "resources")).map((status) =>
        worldStep(watch, status, context),
      );
      const group = groupOf(object.apiVersion) as (typeof blueprintGroups)[number];
      const stamped = steps.flatMap((step) => step.stamped?.object ?? []);
      return {
        key: identityKey(identityOf(object)),
        object,
        verdict: ownerVerdict(readinessOf(object, context), steps),
        blueprint: blueprintOf(object),
        steps,
        version: stateVersion([object, ...stamped], versions.get(group)),
      };
    }),
  };
}

function isOf(group: string): (object: ObjectKind) => boolean {
  return ({ apiVersion }) => groupOf(apiVersion) === group;
}

function blueprintOf(owner: KubernetesObject): string {
  const { refField } = familyOfOwner(owner.kind) ?? families[0] ?? { refField: "" };
  return textOf(fieldAt(owner, "status", refField, "name"));
}

function worldStep(watch: ClusterWatch, status: JsonObject, context: ReadinessContext): WorldStep {
  const reference = stampedReference(status);
  const found = reference === undefined ? undefined : watch.look(reference);
  const stamped: WorldObject | undefined =
    reference === undefined || found === undefined || found === "absent"
      ? undefined
      : {
          key: identityKey(reference),
          object: found,
          verdict: readinessOf(found, context),
          otherOwner: undefined,
        };
  return {
    name: textOf(status["name"]),
    template: textOf(fieldAt(status, "templateRef", "name")),
    takes: objectsIn(status["inputs"]).map(({ name }) => textOf(name)),
    verdict: explainedVerdict(stepVerdict(status), stamped),
    status,
    stamped,
  };
}

const statuses: Readonly<Record<string, Readiness["status"]>> = {
  True: "Current",
  False: "Failed",
};

/** What the owner says of a step, in the words of everything else. */
function stepVerdict(status: JsonObject): Readiness {
  const ready = objectsIn(status["conditions"]).find(({ type }) => type === "Ready");
  return {
    status: statuses[textOf(ready?.["status"])] ?? "InProgress",
    reason: textOf(ready?.["reason"]),
    message: textOf(ready?.["message"]),
  };
}
