import type { ObjectKind } from "../../cluster/index.ts";
import { type BundleObject, bundleLabel } from "../../bundles/index.ts";
import { groupOf, type KubernetesObject, type ObjectIdentity } from "../../objects/index.ts";
import type { SharedInformer } from "../runtime/shared-informer.ts";
import type { SharedInformers } from "../runtime/shared-informers.ts";

/** The objects of all bundles, by one watch for each kind that any bundle has. */
export class ChildObjects {
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

  /** The watch of a kind, begun if need be; resolves when it is known what is there. */
  async of({ apiVersion, kind }: ObjectKind): Promise<SharedInformer> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#byKind.get(key);
    if (known !== undefined) {
      await known.synced;
      return known;
    }
    const { informer } = this.#informers.use({ apiVersion, kind }, "bundle objects", {
      labelSelector: bundleLabel,
      namespace: this.#namespace,
      // Managed fields are needed to see what an apply would change.
      keep: (object) => object,
    });
    this.#byKind.set(key, informer);
    informer.subscribe(({ object }) => {
      this.#onChange(object);
    });
    try {
      await informer.synced;
    } catch (error) {
      // Begun anew by whoever asks next.
      if (this.#byKind.get(key) === informer) this.#byKind.delete(key);
      throw error;
    }
    return informer;
  }

  get(object: BundleObject, namespace: string): KubernetesObject | undefined {
    return this.#byKind
      .get(`${object.apiVersion} ${object.kind}`)
      ?.get(identityIn(object, namespace));
  }

  remember(object: KubernetesObject): void {
    this.#byKind.get(`${object.apiVersion} ${object.kind}`)?.remember(object);
  }

  /** The objects of a uid: those that something else says it belongs to. */
  withUid(uid: string): readonly KubernetesObject[] {
    return [...this.#byKind.values()].flatMap((informer) => informer.indexed(byUid, uid));
  }
}

function byUid({ metadata }: KubernetesObject): readonly string[] {
  return [metadata.uid ?? ""];
}

export function identityIn(
  { apiVersion, kind, name }: BundleObject,
  namespace: string,
): ObjectIdentity {
  return { group: groupOf(apiVersion), kind, namespace, name };
}
