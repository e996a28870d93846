/** A Workload whose supply chain stamps the parts, carried out by the controller. */
import { isDeepStrictEqual } from "node:util";
import { blueprintReconcilers } from "../../../src/controller/index.ts";
import { fieldAt } from "../../../src/json/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import { type CellSettings, type OpenWay, until } from "../cell.ts";
import { type Call, isWrite } from "../line.ts";
import type { Part } from "../parts.ts";
import type { ApplyOptions, Outcome, WayIn } from "../way-in.ts";
import { allowAccount } from "./allow-account.ts";
import { conditionOf, Controllers, hasObserved, settles, reportedBy } from "./controllers.ts";
import { supplyChainObjects } from "./languages.ts";

const name = "shop";
const apiVersion = "kontinue.io/v1alpha1";
const kind = { apiVersion, kind: "Workload" };

export const supplyChainByController: OpenWay = async (settings) => {
  await allowAccount(settings);
  return new SupplyChainWay(settings);
};

class SupplyChainWay implements WayIn {
  readonly line: CellSettings["line"];
  readonly lease: WayIn["lease"];
  readonly #settings: CellSettings;
  readonly #controllers: Controllers;
  readonly #made: KubernetesObject[] = [];
  #parts: readonly Part[] | undefined;
  #chain = "";
  #revision = 0;

  constructor(settings: CellSettings) {
    const { line, namespace } = settings;
    this.#settings = settings;
    this.line = line;
    this.lease = { namespace, name: "controller" };
    this.#controllers = new Controllers(settings, () => blueprintReconcilers({ namespace }));
  }

  /**
   * Each state is a supply chain of its own, to which the Workload moves when the controller knows it:
   * else one could not tell whether a status is about new templates or about old ones.
   */
  async apply(parts: readonly Part[], options: ApplyOptions = {}): Promise<Outcome> {
    const { cluster, namespace } = this.#settings;
    if (!isDeepStrictEqual(parts, this.#parts)) await this.#makeChain(parts);
    await cluster.apply(
      {
        ...kind,
        metadata: { name, namespace, labels: { contract: this.#chain } },
        // The status shows which one it is about.
        spec: { params: [{ name: "revision", value: String(++this.#revision) }] },
      },
      { fieldManager: "test", force: true },
    );
    return this.#rest(options, (found) => conditionOf(found, "Ready") === "False");
  }

  again(options: ApplyOptions = {}): Promise<Outcome> {
    return this.#rest(options, () => false);
  }

  async destroy(): Promise<Outcome> {
    const { cluster, namespace, patienceMs } = this.#settings;
    const items = await this.#stamped();
    await cluster.delete({ ...kind, namespace, name });
    // What a Workload owns is the garbage collector's to delete.
    const isGone = await settles(async () => {
      if ((await this.#workload()) !== undefined) return false;
      const left = new Set((await this.#stamped()).map(({ metadata }) => metadata.uid));
      return !items.some((item) => left.has(item.metadata.uid) && this.owns(item));
    }, patienceMs);
    return { isFine: isGone, text: await this.reported() };
  }

  async reported(): Promise<string> {
    return reportedBy(this.#settings, await this.#workload(), this.#controllers.log);
  }

  async history(): Promise<string> {
    return JSON.stringify(fieldAt(await this.#workload(), "status", "history") ?? "");
  }

  owns({ metadata }: KubernetesObject): boolean {
    return metadata.ownerReferences?.some(({ kind: owner }) => owner === "Workload") === true;
  }

  isOwnWrite(call: Call): boolean {
    return isWrite(call) && !call.path.includes("/kontinue.io/");
  }

  async close(): Promise<void> {
    await this.#controllers.close();
    for (const made of this.#made) {
      const { kind: each, metadata } = made;
      await this.#settings.cluster.delete({ apiVersion, kind: each, name: metadata.name ?? "" });
    }
  }

  /** Brings a chain with its templates, and waits until the controller knows all of them. */
  async #makeChain(parts: readonly Part[]): Promise<void> {
    const { cluster, namespace, patienceMs } = this.#settings;
    this.#parts = parts;
    this.#chain = `${namespace}-${this.#revision}`;
    const objects = supplyChainObjects(this.#chain, parts);
    this.#made.push(...objects);
    for (const object of objects)
      await cluster.apply(object, { fieldManager: "test", force: true });
    this.#controllers.start();
    const reference = { apiVersion, kind: "ClusterSupplyChain", name: this.#chain };
    await until(
      async () => conditionOf(await cluster.find(reference), "Ready") === "True",
      "the supply chain is known",
      patienceMs,
    );
  }

  async #rest(
    { readyWithinMs }: ApplyOptions,
    isWrong: (found: KubernetesObject | undefined) => boolean,
  ): Promise<Outcome> {
    let isFine = false;
    await settles(async () => {
      const found = await this.#workload();
      const isServed =
        hasObserved(found) && fieldAt(found, "status", "supplyChainRef", "name") === this.#chain;
      isFine = isServed && conditionOf(found, "Ready") === "True";
      return isFine || (isServed && isWrong(found));
    }, readyWithinMs ?? this.#settings.patienceMs);
    return { isFine, text: await this.reported() };
  }

  async #stamped(): Promise<readonly KubernetesObject[]> {
    const { cluster, namespace } = this.#settings;
    const { items } = await cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, { namespace });
    return items.filter((item) => this.owns(item));
  }

  #workload(): Promise<KubernetesObject | undefined> {
    const { cluster, namespace } = this.#settings;
    return cluster.find({ ...kind, namespace, name });
  }
}
