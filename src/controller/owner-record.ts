import { type Cluster, isNotFound, type KindView, referenceTo } from "../cluster/index.ts";
import { type HistoryObject, historyField } from "../inventory/index.ts";
import { fieldAt, type JsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { writeStatus } from "./write-status.ts";

export interface OwnerRecordOptions {
  readonly cluster: Pick<Cluster, "patch">;
  readonly informer: KindView;
  readonly signal: AbortSignal;
  readonly now: () => string;
  readonly manager: string;
  /** Keeps the owner until it is let go. */
  readonly finalizer: string;
}

/** An owner as it was last written by us: its status with the history, and whether it is held. */
export class OwnerRecord {
  readonly #options: OwnerRecordOptions;
  #object: KubernetesObject;

  constructor(object: KubernetesObject, options: OwnerRecordOptions) {
    this.#object = object;
    this.#options = options;
  }

  get object(): KubernetesObject {
    return this.#object;
  }

  get isHeld(): boolean {
    return (this.#object.metadata.finalizers ?? []).includes(this.#options.finalizer);
  }

  /** Writes a status, with what was done since the last one; says whether it is another one. */
  async writeStatus(status: JsonObject, changes: readonly HistoryObject[] = []): Promise<boolean> {
    const { manager, now } = this.#options;
    const before = this.#object;
    const history = historyField(fieldAt(before, "status", "history"), changes, {
      at: now(),
      by: manager,
      command: "controller",
    });
    this.#object = await writeStatus(before, { ...status, ...history }, this.#options);
    return this.#object !== before;
  }

  /** Keeps the owner until it is let go, or lets it go; false when it is gone already. */
  async hold(isHeld: boolean, annotations?: Readonly<Record<string, string>>): Promise<boolean> {
    const { cluster, informer, signal, manager, finalizer } = this.#options;
    const { metadata } = this.#object;
    const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
    const patch: JsonObject = {
      metadata: {
        resourceVersion: metadata.resourceVersion ?? "",
        finalizers: isHeld ? [...others, finalizer] : others,
        ...(annotations === undefined ? {} : { annotations }),
      },
    };
    try {
      const options = { fieldManager: manager, signal };
      this.#object = await cluster.patch(referenceTo(this.#object), "merge", patch, options);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    informer.remember(this.#object);
    return true;
  }
}
