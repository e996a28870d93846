import { bundleManager } from "../../bundles/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { askServer, underAnotherName } from "../../prepare/index.ts";

/** Does something with the rights of a bundle's account. */
type As = <T>(work: (cluster: Cluster) => Promise<T>) => Promise<T>;

/**
 * What stands against objects, during one look. What the schema of a kind says is only a suspicion: whether
 * it counts the server is asked, by a dry run, and only then.
 */
export class ServerChecks {
  readonly #suspicionOf: (object: KubernetesObject) => string | undefined;
  readonly #as: As;
  readonly #isRefused = new Map<string, boolean>();
  readonly #wanted = new Map<string, KubernetesObject>();

  constructor(suspicionOf: (object: KubernetesObject) => string | undefined, as: As) {
    this.#suspicionOf = suspicionOf;
    this.#as = as;
  }

  /** Why an object that is about to be written is refused; what nobody knows yet is asked next. */
  readonly problemOf = (object: KubernetesObject): string | undefined =>
    this.#problemOf(object, object);

  /** The same for an object with the examples of its references, which is never written. */
  readonly exampleProblem = (object: KubernetesObject): string | undefined =>
    this.#problemOf(object, underAnotherName(object));

  /** Asks the server; says whether there was anything to ask. */
  async read(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    await Promise.all(
      wanted.map(async ([key, object]) => {
        const answer = await this.#as((cluster) => askServer(cluster, object, bundleManager));
        this.#isRefused.set(key, typeof answer === "object");
      }),
    );
    return wanted.length > 0;
  }

  #problemOf(object: KubernetesObject, sent: KubernetesObject): string | undefined {
    const suspicion = this.#suspicionOf(object);
    if (suspicion === undefined) return undefined;
    const key = JSON.stringify(sent);
    const isRefused = this.#isRefused.get(key);
    if (isRefused === undefined) this.#wanted.set(key, sent);
    return isRefused === true ? suspicion : undefined;
  }
}
