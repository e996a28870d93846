import { type Cluster, isNotFound, type KindView, referenceTo } from "../../cluster/index.ts";
import { type HistoryObject, historyField } from "../../inventory/index.ts";
import { fieldAt, type JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { writeStatus } from "./write-status.ts";

/** Keeps an owner until what must not go with it has been released. */
const ownerFinalizer = "keelson.dev/stamped-objects";
const fieldManager = "keelson-blueprints";

/** Whether an owner stays until it is let go, and how to change that. */
export interface OwnerHold {
  readonly isHeld: () => boolean;
  readonly set: (isHeld: boolean) => Promise<void>;
}

export interface OwnerRecordOptions {
  readonly cluster: Pick<Cluster, "patch">;
  readonly informer: KindView;
  readonly signal: AbortSignal;
  readonly now: () => string;
}

/** An owner as it was last written by us: its status with the history, and whether it is held. */
export class OwnerRecord {
  readonly hold: OwnerHold;
  readonly #options: OwnerRecordOptions;
  #object: KubernetesObject;

  constructor(object: KubernetesObject, options: OwnerRecordOptions) {
    this.#object = object;
    this.#options = options;
    this.hold = {
      isHeld: () => (this.#object.metadata.finalizers ?? []).includes(ownerFinalizer),
      set: (isHeld) => this.#hold(isHeld),
    };
  }

  get object(): KubernetesObject {
    return this.#object;
  }

  /** Writes a status, with what was done since the last one. */
  async writeStatus(status: JsonObject, changes: readonly HistoryObject[] = []): Promise<void> {
    const { cluster, informer, signal, now } = this.#options;
    const history = historyField(fieldAt(this.#object, "status", "history"), changes, {
      at: now(),
      by: fieldManager,
      command: "controller",
    });
    const whole = { ...status, ...history };
    this.#object = await writeStatus(cluster, informer, this.#object, whole, signal);
  }

  async #hold(isHeld: boolean): Promise<void> {
    const { cluster, informer, signal } = this.#options;
    const { metadata } = this.#object;
    const others = (metadata.finalizers ?? []).filter((each) => each !== ownerFinalizer);
    const patch: JsonObject = {
      metadata: {
        resourceVersion: metadata.resourceVersion ?? "",
        finalizers: isHeld ? [...others, ownerFinalizer] : others,
      },
    };
    try {
      const options = { fieldManager, signal };
      const answer = await cluster.patch(referenceTo(this.#object), "merge", patch, options);
      this.#object = answer;
      informer.remember(answer);
    } catch (error) {
      // Gone already: nobody is left to be held.
      if (!isNotFound(error)) throw error;
    }
  }
}
