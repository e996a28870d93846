import { bundleManager } from "../../bundles/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { Answers } from "../answers.ts";
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
  readonly #suspicions = new Map<string, string | undefined>();
  readonly #refusals = new Answers<KubernetesObject, boolean>();

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
  read(): Promise<boolean> {
    return this.#refusals.read(
      async (object) =>
        typeof (await this.#as((cluster) => askServer(cluster, object, bundleManager))) ===
        "object",
    );
  }

  #problemOf(object: KubernetesObject, sent: KubernetesObject): string | undefined {
    const key = stringifyJson(sent);
    // The same objects come up in every look.
    if (!this.#suspicions.has(key)) this.#suspicions.set(key, this.#suspicionOf(object));
    const suspicion = this.#suspicions.get(key);
    return suspicion !== undefined && this.#refusals.get(key, sent, false) ? suspicion : undefined;
  }
}
