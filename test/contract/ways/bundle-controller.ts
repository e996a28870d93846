/** A Bundle in a cluster, carried out by the controller. */
import { bundleReconciler } from "../../../src/controller/index.ts";
import { fieldAt } from "../../../src/json/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import type { CellSettings, OpenWay } from "../cell.ts";
import { type Call, isWrite } from "../line.ts";
import type { Part } from "../parts.ts";
import type { ApplyOptions, Outcome, WayIn } from "../way-in.ts";
import { allowAccount } from "./allow-account.ts";
import { conditionOf, Controllers, hasObserved, settles, reportedBy } from "./controllers.ts";
import { bundleObject } from "./languages.ts";

const name = "shop";
const kind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };

export const bundleByController: OpenWay = async (settings) => {
  await allowAccount(settings);
  return new BundleWay(settings);
};

class BundleWay implements WayIn {
  readonly line: CellSettings["line"];
  readonly lease: WayIn["lease"];
  readonly #settings: CellSettings;
  readonly #controllers: Controllers;
  #revision = 0;

  constructor(settings: CellSettings) {
    const { line, namespace } = settings;
    this.#settings = settings;
    this.line = line;
    this.lease = { namespace, name: "controller" };
    this.#controllers = new Controllers(settings, () => [bundleReconciler({ namespace })]);
  }

  async apply(parts: readonly Part[], options: ApplyOptions = {}): Promise<Outcome> {
    const { cluster, namespace } = this.#settings;
    const bundle = bundleObject(name, parts, ++this.#revision);
    await cluster.apply(
      { ...bundle, metadata: { name, namespace } },
      { fieldManager: "test", force: true },
    );
    this.#controllers.start();
    return this.#rest(options, (found) => conditionOf(found, "Error") === "True");
  }

  /** What is wrong now may be right in a moment: only a bundle that is ready is at rest. */
  again(options: ApplyOptions = {}): Promise<Outcome> {
    return this.#rest(options, () => false);
  }

  async destroy(): Promise<Outcome> {
    const { cluster, namespace } = this.#settings;
    await cluster.delete({ ...kind, namespace, name });
    const isGone = await this.#within(undefined, async () => (await this.#bundle()) === undefined);
    return { isFine: isGone, text: await this.reported() };
  }

  async reported(): Promise<string> {
    return reportedBy(this.#settings, await this.#bundle(), this.#controllers.log);
  }

  async history(): Promise<string> {
    return JSON.stringify(fieldAt(await this.#bundle(), "status", "history") ?? "");
  }

  owns({ metadata }: KubernetesObject): boolean {
    return metadata.ownerReferences?.some(({ kind: owner }) => owner === "Bundle") === true;
  }

  isOwnWrite(call: Call): boolean {
    return isWrite(call) && !call.path.includes("/smith.atlassian.com/");
  }

  close(): Promise<void> {
    return this.#controllers.close();
  }

  async #rest(
    { readyWithinMs }: ApplyOptions,
    isWrong: (found: KubernetesObject | undefined) => boolean,
  ): Promise<Outcome> {
    let isFine = false;
    await this.#within(readyWithinMs, async () => {
      const found = await this.#bundle();
      isFine = hasObserved(found) && conditionOf(found, "Ready") === "True";
      return isFine || (hasObserved(found) && isWrong(found));
    });
    return { isFine, text: await this.reported() };
  }

  #within(withinMs: number | undefined, isAtRest: () => Promise<boolean>): Promise<boolean> {
    return settles(isAtRest, withinMs ?? this.#settings.patienceMs);
  }

  #bundle(): Promise<KubernetesObject | undefined> {
    const { cluster, namespace } = this.#settings;
    return cluster.find({ ...kind, namespace, name });
  }
}
