import { parseJson, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

/** One version of an object as the store keeps it: never changed, only replaced. */
export class StoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  #object: KubernetesObject | undefined;
  #json: string | undefined;

  private constructor(key: { namespace: string; name: string }, revision: number) {
    this.namespace = key.namespace;
    this.name = key.name;
    this.revision = revision;
  }

  static fromObject(object: KubernetesObject, revision: number): StoredObject {
    const { namespace = "", name = "" } = object.metadata;
    const stored = new StoredObject({ namespace, name }, revision);
    stored.#object = object;
    return stored;
  }

  /** Text from disk is parsed only when somebody looks at it, so that a large store opens at once. */
  static fromJson(
    key: { namespace: string; name: string },
    json: string,
    revision: number,
  ): StoredObject {
    const stored = new StoredObject(key, revision);
    stored.#json = json;
    return stored;
  }

  get object(): KubernetesObject {
    this.#object ??= parseJson(this.#json ?? "null") as unknown as KubernetesObject;
    return this.#object;
  }

  /** Written once and then sent to everyone who asks. */
  get json(): string {
    this.#json ??= stringifyJson(this.#object);
    return this.#json;
  }
}
