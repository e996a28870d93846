import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blueprintDefinitions } from "../../src/blueprints/index.ts";
import type { Cluster } from "../../src/cluster/index.ts";
import { blueprintReconcilers } from "../../src/controller/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import { type ChainAttack, chainAttacks, hiddenTexts } from "./chain-attacks.ts";
import { ControllerWorld, type RunningControllers } from "./controller-world.ts";
import { everything } from "./rights-objects.ts";

const group = "kontinue.io";
const families = [
  {
    owner: "Workload",
    blueprint: "ClusterSupplyChain",
    templates: {
      ClusterConfigTemplate: "ClusterConfigTemplate",
      ClusterTemplate: "ClusterTemplate",
    },
  },
  // Deliveries have no configs: what takes one is left to supply chains.
  {
    owner: "Deliverable",
    blueprint: "ClusterDelivery",
    templates: { ClusterTemplate: "ClusterTemplate" },
  },
] as const;

/** What a person may try who may only create owners of blueprints, the same on every cluster. */
export function chainAttackScenarios(kubeconfig: () => string | undefined): void {
  describe.each(families)("somebody who may only create a $owner does not get", (family) => {
    let world: ControllerWorld;
    let author: Cluster;
    let running: RunningControllers;
    const attacks = chainAttacks.filter(({ templates }) =>
      templates.every(({ kind }) => kind in family.templates),
    );
    beforeAll(async () => {
      world = await ControllerWorld.open(kubeconfig(), blueprintDefinitions, []);
      author = await world.as("author");
      const verbs = ["create", "patch", "get", "delete"];
      await world.allow("author", [{ apiGroups: [group], resources: ["*"], verbs }]);
      running = await world.run(blueprintReconcilers({ namespace: world.namespace }));
    });
    afterAll(async () => {
      await author.close();
      await world.close();
    });

    it.each(attacks.map((attack, index) => [attack.name, attack, index] as const))(
      "%s",
      async (_name, attack, index) => {
        // Each has an account of its own: a right that was there a moment ago may still count.
        const account = `a${index}`;
        const client = await world.as(account);
        await client.close();
        await world.allow(account, attack.rights);
        if (attack.before !== undefined) await world.apply(attack.before);
        const before = await world.findAll(attack.untouched);
        const mark = `${world.namespace}-${index}`;
        await world.apply(platformOf(attack, family.blueprint, mark));
        await world.apply(ownerOf(attack, family.owner, mark, account), "author", author);
        const kind = { apiVersion: `${group}/v1alpha1`, kind: family.owner };
        await world.until(kind, "attack", (found) =>
          attack.says.test(JSON.stringify(found?.["status"] ?? {})),
        );
        const absent = await world.findAll(attack.absent);
        expect(absent.filter((object) => object !== undefined)).toEqual([]);
        expect(await world.findAll(attack.untouched)).toEqual(before);
        if (attack.stamped !== undefined)
          expect((await world.get("v1", "ConfigMap", "stamped"))["data"]).toEqual(attack.stamped);
        await expectNoLeak(world, running);
        await remove(world, family, attack, mark, account);
      },
    );
  });
}

/** A Runnable selects what it is about: only what its account may list. */
export function runnableAttackScenarios(kubeconfig: () => string | undefined): void {
  it("somebody who may only create a Runnable selects no Secret that its account may not read", async () => {
    const world = await ControllerWorld.open(kubeconfig(), blueprintDefinitions, []);
    const verbs = ["get", "list", "create", "patch", "delete"];
    const configMaps = { apiGroups: [""], resources: ["configmaps"], verbs };
    try {
      await world.allow("default", [configMaps]);
      const running = await world.run(blueprintReconcilers({ namespace: world.namespace }));
      await world.apply(`
apiVersion: v1
kind: Secret
metadata: { name: theirs, labels: { chosen: "yes" } }
stringData: { password: ${hiddenTexts[0] ?? ""} }
---
apiVersion: ${group}/v1alpha1
kind: ClusterRunTemplate
metadata: { name: ${world.namespace} }
spec:
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: { generateName: run- }
    data: { stolen: $(selected.data.password)$ }
---
apiVersion: ${group}/v1alpha1
kind: Runnable
metadata: { name: attack }
spec:
  runTemplateRef: { name: ${world.namespace} }
  selector: { resource: { apiVersion: v1, kind: Secret }, matchingLabels: { chosen: "yes" } }
`);
      const kind = { apiVersion: `${group}/v1alpha1`, kind: "Runnable" };
      await world.until(kind, "attack", (found) =>
        JSON.stringify(found?.["status"] ?? "").includes("may not list secrets"),
      );
      const { items } = await world.cluster.list(
        { apiVersion: "v1", kind: "ConfigMap" },
        { namespace: world.namespace, labelSelector: "carto.run/runnable-name" },
      );
      expect(items).toEqual([]);
      await expectNoLeak(world, running);
    } finally {
      await world.cluster.delete({ ...runTemplate, name: world.namespace });
      await world.close();
    }
  });
}

const runTemplate = { apiVersion: `${group}/v1alpha1`, kind: "ClusterRunTemplate" };

function platformOf({ templates }: ChainAttack, blueprint: string, mark: string): string {
  const steps = templates.map(
    ({ kind }, index) => `
    - name: step-${index}
      templateRef: { kind: ${kind}, name: ${mark}-${index} }
      ${index === 0 ? "" : `configs: [{ name: config, resource: step-${index - 1} }]`}`,
  );
  const chain = `
apiVersion: ${group}/v1alpha1
kind: ${blueprint}
metadata: { name: ${mark} }
spec:
  selector: { attack: ${mark} }
  resources:${steps.join("")}
`;
  const bodies = templates.map(
    ({ kind, spec }, index) => `
apiVersion: ${group}/v1alpha1
kind: ${kind}
metadata: { name: ${mark}-${index} }
spec:
  ${spec}
`,
  );
  return [...bodies, chain].join("---\n");
}

function ownerOf(
  { params = {} }: ChainAttack,
  kind: string,
  mark: string,
  account: string,
): string {
  const list = Object.entries(params).map(
    ([name, value]) => `
    - name: ${name}
      value: ${value}`,
  );
  return `
apiVersion: ${group}/v1alpha1
kind: ${kind}
metadata: { name: attack, labels: { attack: ${mark} } }
spec:
  serviceAccountName: ${account}${list.length === 0 ? "" : `\n  params:${list.join("")}`}
`;
}

/** Nobody who may not read Secrets finds their values in what the controller says. */
async function expectNoLeak(
  { cluster, namespace }: ControllerWorld,
  { lines }: RunningControllers,
): Promise<void> {
  const kinds = [
    { apiVersion: "v1", kind: "Event" },
    { apiVersion: `${group}/v1alpha1`, kind: "Workload" },
    { apiVersion: `${group}/v1alpha1`, kind: "Deliverable" },
  ];
  const lists = await Promise.all(kinds.map((kind) => cluster.list(kind, { namespace })));
  const said = lists.flatMap(({ items }) =>
    items.map((item) => [item["message"] ?? "", fieldAt(item, "status") ?? ""]),
  );
  const text = JSON.stringify([said, lines]);
  for (const value of hiddenTexts) expect(text).not.toContain(value);
}

async function remove(
  world: ControllerWorld,
  { owner, blueprint }: (typeof families)[number],
  { before, templates }: ChainAttack,
  mark: string,
  account: string,
): Promise<void> {
  await world.allow(account, [everything]);
  const apiVersion = `${group}/v1alpha1`;
  await world.cluster.delete(world.reference(apiVersion, owner, "attack"));
  await world.until({ apiVersion, kind: owner }, "attack", (object) => object === undefined);
  await world.cluster.delete({ apiVersion, kind: blueprint, name: mark });
  for (const [index, { kind }] of templates.entries())
    await world.cluster.delete({ apiVersion, kind, name: `${mark}-${index}` });
  for (const name of ["stamped", "hidden", "second"])
    for (const kind of ["ConfigMap", "Secret"])
      await world.until({ apiVersion: "v1", kind }, name, (object) => object === undefined);
  if (before !== undefined)
    for (const kind of ["ConfigMap", "Secret"])
      if ((await world.find("v1", kind, "theirs")) !== undefined)
        await world.cluster.delete(world.reference("v1", kind, "theirs"));
}
