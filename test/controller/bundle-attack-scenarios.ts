import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleDefinitions, type PluginContext } from "../../src/bundles/index.ts";
import type { Cluster } from "../../src/cluster/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import {
  attackDefinitions,
  type BundleAttack,
  bundleAttacks,
  blindSecrets,
  configMaps,
  secretValue,
  thief,
  tokenSecret,
} from "./bundle-attacks.ts";
import { bundle, isReady, settings } from "./bundle-scenarios.ts";
import { ControllerWorld, type RunningControllers } from "./controller-world.ts";
import { everything, type Rights } from "./rights-objects.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
/** Kinds that people read who may not read Secrets. */
const readableKinds = [
  ["v1", "ConfigMap"],
  ["v1", "Event"],
  ["apps/v1", "Deployment"],
  ["smith.atlassian.com/v1", "Bundle"],
] as const;

/** What a person may try who may only create Bundles, the same on every cluster. */
export function bundleAttackScenarios(kubeconfig: () => string | undefined): void {
  describe("somebody who may only create Bundles does not get", () => {
    let world: ControllerWorld;
    let author: Cluster;
    let running: RunningControllers;
    beforeAll(async () => {
      world = await ControllerWorld.open(
        kubeconfig(),
        [...bundleDefinitions, ...attackDefinitions],
        [],
      );
      author = await world.as("author");
      const verbs = ["create", "patch", "get", "delete"];
      const rights = { apiGroups: ["smith.atlassian.com"], resources: ["bundles"], verbs };
      await world.allow("author", [rights]);
      await makeAccount(world, "admin", [everything]);
      // The administrator's own rights: what a bundle gets must not depend on those of the controller.
      const plugin = {
        describe: () => ({ apiVersion: "v1", kind: "ConfigMap" }),
        process: (_spec: object, { dependencies }: PluginContext) => ({
          data: { stolen: JSON.stringify(dependencies) },
        }),
      };
      const plugins = { get: () => plugin, load: () => Promise.resolve() };
      running = await world.run([bundleReconciler({ namespace: world.namespace, plugins })]);
    });
    afterAll(async () => {
      await author.close();
      await world.close();
    });

    it.each(bundleAttacks.map((attack, index) => [attack.name, attack, `a${index}`] as const))(
      "%s",
      async (_name, attack, account) => {
        // Each has an account of its own: a right that was there a moment ago may still count.
        await makeAccount(world, account, attack.rights);
        const text = asAccount(attack.bundle, account);
        if (attack.before !== undefined) await world.apply(attack.before);
        const before = await world.findAll(attack.untouched);
        await world.apply(text, "author", author);
        const filled = makesToken(attack) ? await fillToken(world) : [];
        // Said once more, so that the controller looks at all that is there now.
        await world.apply(`${text}${again}`, "author", author);
        await world.until(bundleKind, "attack", (found) => isRefused(found, attack));
        const absent = await world.findAll(attack.absent);
        expect(absent.filter((object) => object !== undefined)).toEqual([]);
        const after = await world.findAll(attack.untouched);
        expect(after).toEqual(before);
        await expectNoLeak(world, running, [secretValue, ...filled]);
        await remove(world, attack, account);
      },
    );

    it("deletions that the account may no longer make", async () => {
      await makeAccount(world, "deleter", [everything]);
      await world.apply(asAccount(bundle("attack", settings), "deleter"), "author", author);
      await world.until(bundleKind, "attack", isReady);
      await world.allow("deleter", []);
      await author.delete(world.reference(bundleKind.apiVersion, "Bundle", "attack"));
      const isLeft = (found: KubernetesObject | undefined): boolean =>
        says(found, "cannot delete resource");
      await world.until(bundleKind, "attack", isLeft);
      expect(await world.find("v1", "ConfigMap", "settings")).toBeDefined();
      await world.allow("deleter", [everything]);
      await world.until(bundleKind, "attack", (object) => object === undefined);
      expect(await world.find("v1", "ConfigMap", "settings")).toBeUndefined();
    });

    it("what a plugin is given that the account may not read", async () => {
      await makeAccount(world, "blind", [blindSecrets, configMaps]);
      const taker = `
  - name: taker
    dependsOn: [token]
    spec: { plugin: { name: taker, objectName: taker, spec: {} } }`;
      const text = asAccount(bundle("attack", tokenSecret(), taker), "blind");
      await world.apply(text, "author", author);
      await world.until(bundleKind, "attack", (found) =>
        says(found, "blind may not get Secret token"),
      );
      expect(await world.find("v1", "ConfigMap", "taker")).toBeUndefined();
      await author.delete(world.reference(bundleKind.apiVersion, "Bundle", "attack"));
      await world.until(bundleKind, "attack", (object) => object === undefined);
    });

    it("the right to read Secrets for the name of one that it made", async () => {
      await makeAccount(world, "naming", [blindSecrets, configMaps]);
      const namer = thief("resource: token, path: metadata.name");
      await world.apply(asAccount(bundle("attack", tokenSecret(), namer), "naming"));
      await world.until(bundleKind, "attack", isReady);
      expect((await world.get("v1", "ConfigMap", "thief"))["data"]).toEqual({ stolen: "token" });
      await author.delete(world.reference(bundleKind.apiVersion, "Bundle", "attack"));
      await world.until(bundleKind, "attack", (object) => object === undefined);
    });
  });
}

function isRefused(
  found: KubernetesObject | undefined,
  { refused: [resource, message] }: BundleAttack,
): boolean {
  if (fieldAt(found, "status", "observedGeneration") !== found?.metadata.generation) return false;
  const owner =
    resource === ""
      ? fieldAt(found, "status")
      : objectsIn(fieldAt(found, "status", "resourceStatuses")).find(
          ({ name }) => name === resource,
        );
  return objectsIn(fieldAt(owner, "conditions")).some(
    ({ type, status, message: said }) =>
      status === "True" && type !== "Ready" && typeof said === "string" && message.test(said),
  );
}

function says(found: KubernetesObject | undefined, words: string): boolean {
  return JSON.stringify(found?.["status"] ?? "").includes(words);
}

function makesToken({ bundle, absent = [] }: BundleAttack): boolean {
  return bundle.includes("service-account-token") && !absent.includes("v1 Secret token");
}

const again = `
  - name: again
    spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: again } } }
`;

/** The bundle as another account than the default one, unless it says itself as whom. */
function asAccount(bundle: string, account: string): string {
  const text = bundle.trimEnd();
  return text.includes("serviceAccountName")
    ? text
    : text.replace("spec:", `spec:\n  serviceAccountName: ${account}`);
}

async function makeAccount(
  world: ControllerWorld,
  account: string,
  rights: readonly Rights[],
): Promise<void> {
  const client = await world.as(account);
  await client.close();
  await world.allow(account, rights);
}

/** What the token controller does with a Secret, where none runs; gives what must not leak. */
async function fillToken(world: ControllerWorld): Promise<readonly string[]> {
  const secretKind = { apiVersion: "v1", kind: "Secret" };
  await world.until(secretKind, "token", (object) => object !== undefined);
  const encoded = Buffer.from(secretValue).toString("base64");
  if (world.sandbox !== undefined)
    await world.cluster.patch(world.reference("v1", "Secret", "token"), "merge", {
      data: { token: encoded },
    });
  const filled = await world.until(
    secretKind,
    "token",
    (object) => typeof fieldAt(object, "data", "token") === "string",
  );
  const token = String(fieldAt(filled, "data", "token"));
  return [token, Buffer.from(token, "base64").toString()];
}

/** Nobody who may not read Secrets finds these anywhere. */
async function expectNoLeak(
  { cluster, namespace }: ControllerWorld,
  { lines }: RunningControllers,
  values: readonly string[],
): Promise<void> {
  const lists = await Promise.all(
    readableKinds.map(([apiVersion, kind]) => cluster.list({ apiVersion, kind }, { namespace })),
  );
  const readable = JSON.stringify([lists.map(({ items }) => items), lines]);
  for (const value of values) expect(readable).not.toContain(value);
}

async function remove(
  world: ControllerWorld,
  { before, bundle }: BundleAttack,
  account: string,
): Promise<void> {
  await makeAccount(world, account, [everything]);
  const isOfNobody = bundle.includes("nobody");
  if (isOfNobody) await makeAccount(world, "nobody", [everything]);
  await world.cluster.delete(world.reference(bundleKind.apiVersion, "Bundle", "attack"));
  await world.until(bundleKind, "attack", (object) => object === undefined);
  if (isOfNobody) await world.cluster.delete(world.reference("v1", "ServiceAccount", "nobody"));
  if (before !== undefined) await world.cluster.delete(world.reference("v1", "Secret", "victim"));
}
