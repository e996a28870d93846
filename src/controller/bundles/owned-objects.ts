import type { ObjectKind } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { SharedInformer } from "../runtime/shared-informer.ts";
import type { SharedInformers } from "../runtime/shared-informers.ts";

/** Objects that others own, such as the bindings of claims: one watch for each kind that is asked for. */
export class OwnedObjects {
  readonly #informers: SharedInformers;
  readonly #namespace: string | undefined;
  readonly #onChange: (object: KubernetesObject) => void;
  readonly #byKind = new Map<string, SharedInformer>();

  constructor(
    informers: SharedInformers,
    namespace: string | undefined,
    onChange: (object: KubernetesObject) => void,
  ) {
    this.#informers = informers;
    this.#namespace = namespace;
    this.#onChange = onChange;
  }

  /** Begins to watch a kind; resolves when it is known what is there. */
  async watch(kind: ObjectKind): Promise<void> {
    const key = `${kind.apiVersion} ${kind.kind}`;
    const known = this.#byKind.get(key);
    if (known !== undefined) {
      await known.synced;
      return;
    }
    const { informer } = this.#informers.use(kind, "owned objects", { namespace: this.#namespace });
    this.#byKind.set(key, informer);
    informer.subscribe(({ object }) => {
      this.#onChange(object);
    });
    try {
      await informer.synced;
    } catch (error) {
      if (this.#byKind.get(key) === informer) this.#byKind.delete(key);
      throw error;
    }
  }

  /** All that is known to belong to an object. */
  of({ metadata }: KubernetesObject): readonly KubernetesObject[] {
    const { uid = "" } = metadata;
    return [...this.#byKind.values()].flatMap((informer) => informer.indexed(byOwner, uid));
  }
}

function byOwner({ metadata }: KubernetesObject): readonly string[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
