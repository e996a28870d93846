import { type BundleResource, readBundle, recordOfBundle } from "../bundles/index.ts";
import { fieldAt, type JsonObject, objectsIn } from "../json/index.ts";
import {
  groupOf,
  identityKey,
  identityOf,
  type KubernetesObject,
  maskSecrets,
  type ObjectIdentity,
  writeYaml,
} from "../objects/index.ts";
import { type Readiness, type ReadinessContext, readinessOf } from "../readiness/index.ts";
import type { OwnerDetail } from "./chain-view.ts";
import type { WorldOwner, WorldStep } from "./chain-world.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import { conditionViews } from "./detail-of.ts";
import { explainedVerdict, ownerVerdict } from "./step-verdicts.ts";
import { textOf } from "./text-of.ts";
import { stateVersion } from "./state-version.ts";

/** What the controller says that it has made for a bundle, or was about to make. */
export function objectsOfBundle(bundle: KubernetesObject): readonly ObjectIdentity[] {
  const { namespace = "" } = bundle.metadata;
  return recordOfBundle(bundle).objects.map(({ apiVersion, kind, name }) => ({
    group: groupOf(apiVersion),
    kind,
    namespace,
    name,
  }));
}

/** A bundle as an owner whose steps are its resources. */
export function bundleOwner(
  watch: Pick<ClusterWatch, "look">,
  object: KubernetesObject,
  context: ReadinessContext,
): WorldOwner {
  const told = new Map(
    objectsIn(fieldAt(object, "status", "resourceStatuses")).map((each) => [
      textOf(each["name"]),
      each,
    ]),
  );
  const made = objectsOfBundle(object);
  const steps = readBundle(object).bundle.resources.map((resource): WorldStep => {
    const status = told.get(resource.name) ?? {};
    const identity = objectOfResource(resource, made);
    const found = identity === undefined ? undefined : watch.look(identity);
    const stamped =
      identity === undefined || found === undefined || found === "absent"
        ? undefined
        : {
            key: identityKey(identity),
            object: found,
            verdict: readinessOf(found, context),
            otherOwner: undefined,
          };
    return {
      name: resource.name,
      template: "",
      takes: resource.waitsFor,
      verdict: explainedVerdict(resourceVerdict(status), stamped),
      status,
      stamped,
    };
  });
  return {
    key: identityKey(identityOf(object)),
    object,
    verdict: ownerVerdict(readinessOf(object, context), steps),
    blueprint: "",
    steps,
    version: stateVersion([object, ...steps.flatMap(({ stamped }) => stamped?.object ?? [])]),
  };
}

/** The resources of a bundle: what each is, what it takes from which other, and what was made of it. */
export function bundleDetail({ object, steps }: WorldOwner): OwnerDetail {
  const { bundle, diagnostics } = readBundle(object);
  const told = new Map(steps.map((step) => [step.name, step]));
  return {
    blueprints: [],
    problem: diagnostics.map(({ summary }) => summary).join("; "),
    conditions: conditionViews(object["status"]),
    steps: bundle.resources.map((resource) => {
      const { status = {}, stamped } = told.get(resource.name) ?? {};
      return {
        name: resource.name,
        used: targetText(resource),
        options: [],
        takes: takenBy(resource),
        outputs: [],
        conditions: conditionViews(status),
        yaml: stamped === undefined ? "" : writeYaml([maskSecrets(stamped.object)]),
      };
    }),
  };
}

function targetText({ target }: BundleResource): string {
  return target.kind === "object"
    ? `${target.object.kind} ${target.object.metadata.name ?? ""}`
    : `plugin ${target.plugin}, ${target.objectName}`;
}

function takenBy({ references, waitsFor }: BundleResource): OwnerDetail["steps"][number]["takes"] {
  const named = references.flatMap(({ name, path, modifier, resource }) =>
    name === undefined ? [] : [{ kind: path ?? modifier ?? "", name, step: resource }],
  );
  const others = waitsFor.filter((resource) => named.every(({ step }) => step !== resource));
  return [...named, ...others.map((step) => ({ kind: "", name: "", step }))];
}

/** What a plugin makes is known only by its name, and by what has been made. */
function objectOfResource(
  { target }: BundleResource,
  made: readonly ObjectIdentity[],
): ObjectIdentity | undefined {
  if (target.kind === "plugin") return made.find(({ name }) => name === target.objectName);
  const { group, kind, name } = identityOf(target.object);
  return made.find((each) => each.group === group && each.kind === kind && each.name === name);
}

/** What the controller says of a resource, in the words of everything else. */
function resourceVerdict(status: JsonObject): Readiness {
  const holding = objectsIn(status["conditions"]).filter((each) => each["status"] === "True");
  const of = (type: string): JsonObject | undefined =>
    holding.find((each) => each["type"] === type);
  const error = of("Error");
  const ready = of("Ready");
  const told = error ?? ready ?? of("InProgress") ?? of("Blocked");
  return {
    status: error !== undefined ? "Failed" : ready !== undefined ? "Current" : "InProgress",
    reason: textOf(told?.["reason"]),
    message: textOf(told?.["message"]),
  };
}
