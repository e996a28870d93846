import { expect, it } from "vitest";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import { current, failed, inProgress, type Readiness } from "../readiness/index.ts";
import type { WorldOwner, WorldStep } from "./chain-world.ts";
import type { InventoryView } from "./dashboard-view.ts";
import { type ComponentParts, withOwnerRows } from "./owner-rows.ts";
import { explainedVerdict, ownerVerdict } from "./step-verdicts.ts";
import type { WorldComponent, WorldObject } from "./world.ts";

const inventory: InventoryView = {
  key: "shop/shop",
  namespace: "shop",
  name: "shop",
  id: "shop",
  created: "",
  objects: 2,
  named: 0,
  changed: "",
};

function object(apiVersion: string, kind: string, name: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: "shop" } };
}

const worldObject = (each: KubernetesObject, verdict: Readiness = current("")): WorldObject => ({
  key: identityKey(identityOf(each)),
  object: each,
  verdict,
  otherOwner: undefined,
});

const outOfMemory: Readiness = {
  ...failed("CrashLoopBackOff", "out of memory: limit 64Mi, killed 3 times"),
  cause: {
    reason: "CrashLoopBackOff",
    summary: "out of memory: limit 64Mi, killed 3 times",
    isFinal: true,
  },
};
const deployment = worldObject(object("apps/v1", "Deployment", "reviews"), outOfMemory);

const step = (verdict: Readiness, stamped?: WorldObject): WorldStep => ({
  name: "run",
  template: "run",
  takes: [],
  verdict,
  status: {},
  stamped,
});

const workload = worldObject(object("kontinue.io/v1alpha1", "Workload", "reviews"));
const owner: WorldOwner = {
  key: workload.key,
  object: workload.object,
  verdict: outOfMemory,
  blueprint: "shop",
  steps: [step(outOfMemory, deployment)],
  version: "",
};

const make = ({ name, inventory: of, workload: runs, own }: ComponentParts): WorldComponent => ({
  key: `${of.key}/${name}`,
  name,
  inventory: of,
  workload: runs,
  objects: own,
  pods: [],
  uids: new Set(),
});

const rowsOf = (components: readonly WorldComponent[]): readonly string[] =>
  components.map(
    ({ key, workload: runs, objects }) =>
      `${key}: ${runs?.kind ?? "nothing"} of ${objects.map((each) => each.object.kind).join(", ")}`,
  );

it("an owner is a row with what was made for it, and not among what goes with no workload", () => {
  const settings = worldObject(object("v1", "ConfigMap", "settings"));
  const rest = { name: "uncategorized", inventory, workload: undefined };
  const both = make({ ...rest, own: [settings, workload] });
  expect(rowsOf(withOwnerRows([both], [owner], make))).toEqual([
    "shop/shop/uncategorized: nothing of ConfigMap",
    "shop/shop/reviews: Deployment of Workload, Deployment",
  ]);
  const alone = make({ ...rest, own: [workload] });
  expect(rowsOf(withOwnerRows([alone], [owner], make))).toEqual([
    "shop/shop/reviews: Deployment of Workload, Deployment",
  ]);
});

it("an owner of no inventory is a row, too", () => {
  expect(rowsOf(withOwnerRows([], [owner], make))).toEqual([
    "shop//reviews: Deployment of Workload, Deployment",
  ]);
});

it("a step that waits for what has failed has failed for the same cause, and its owner with it", () => {
  const told = inProgress("Unknown", "waiting for the Deployment");
  const explained = explainedVerdict(told, deployment);
  expect(explained).toBe(outOfMemory);
  expect(explainedVerdict(told, undefined)).toBe(told);
  expect(explainedVerdict(current("ready"), deployment).status).toBe("Current");
  expect(ownerVerdict(failed("StepFailed", "run"), [step(told), step(explained)])).toBe(
    outOfMemory,
  );
  expect(ownerVerdict(told, [step(told)])).toBe(told);
  expect(ownerVerdict(current("ready"), [step(outOfMemory)]).status).toBe("Current");
});
