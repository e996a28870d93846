import { equalValues, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api/api-context.ts";
import { createObject } from "../api/create.ts";
import { deleteObject } from "../api/delete.ts";
import type { DeleteBody } from "../api/delete-options.ts";
import { recordUpdate } from "../api/field-managers.ts";
import type { ApiRequest } from "../api/request.ts";
import type { ServedResource } from "../api/served-resource.ts";
import { StatusError } from "../api/status.ts";
import { updateObject } from "../api/update.ts";

/** Writes objects from inside, through the same rules as everyone else, under a component's name. */
export class InternalClient {
  readonly #context: ApiContext;
  readonly #component: string;
  readonly #resources = new Map<string, ServedResource>();

  constructor(context: ApiContext, component: string) {
    this.#context = context;
    this.#component = component;
  }

  get(storageKey: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.#context.store.get(storageKey, namespace, name)?.object;
  }

  list(storageKey: string, namespace?: string): readonly KubernetesObject[] {
    return this.#context.store.list(storageKey, namespace).map(({ object }) => object);
  }

  /** Creates an object; undefined when it is there already or its namespace is going. */
  create(storageKey: string, object: KubernetesObject): KubernetesObject | undefined {
    const { namespace = "", name = "" } = object.metadata;
    return this.#expecting(
      () =>
        createObject(this.#context, this.#request(storageKey, namespace, name, ""), object).object,
    );
  }

  /** As {@link create}, but a refusal is handed back in the server's words. */
  tryCreate(
    storageKey: string,
    object: KubernetesObject,
  ): { readonly object: KubernetesObject } | { readonly refused: StatusError } {
    const { namespace = "", name = "" } = object.metadata;
    try {
      const request = this.#request(storageKey, namespace, name, "");
      return { object: createObject(this.#context, request, object).object };
    } catch (error) {
      if (error instanceof StatusError) return { refused: error };
      throw error;
    }
  }

  /** Changes an object as it is now; undefined when it is gone. */
  update(
    storageKey: string,
    namespace: string,
    name: string,
    change: (live: KubernetesObject) => KubernetesObject,
    subresource = "",
  ): KubernetesObject | undefined {
    const request = this.#request(storageKey, namespace, name, subresource);
    return this.#expecting(() =>
      updateObject(this.#context, request, (live) =>
        recordUpdate(this.#context, request, live, change(live)),
      ),
    );
  }

  updateStatus(
    storageKey: string,
    namespace: string,
    name: string,
    status: (live: KubernetesObject) => unknown,
  ): KubernetesObject | undefined {
    const now = this.get(storageKey, namespace, name);
    if (now !== undefined && equalValues(status(now) as JsonValue, now["status"] as JsonValue))
      return now;
    return this.update(
      storageKey,
      namespace,
      name,
      (live) => ({ ...live, status: status(live) }),
      "status",
    );
  }

  /** Deletes an object; it may be gone already. */
  delete(storageKey: string, namespace: string, name: string, options: DeleteBody = {}): void {
    const request = this.#request(storageKey, namespace, name, "");
    this.#expecting(() => deleteObject(this.#context, request, options));
  }

  #request(
    storageKey: string,
    namespace: string,
    name: string,
    subresource: string,
  ): ResourceRequest {
    const resource = this.#resource(storageKey);
    const { group, version } = resource;
    const path = {
      group,
      version,
      resource: resource.resource,
      namespace,
      name,
      subresource,
      rest: "",
    };
    return { request: requestOf(this.#component), path, resource };
  }

  /** Built-in resources stay as they are; those of definitions are looked up each time. */
  #resource(storageKey: string): ServedResource {
    const known = this.#resources.get(storageKey);
    if (known !== undefined) return known;
    const resource = this.#context.registry.findStored(storageKey);
    if (resource === undefined) throw new Error(`${storageKey} is not served`);
    if (resource.custom === undefined) this.#resources.set(storageKey, resource);
    return resource;
  }

  /** Losing a race with a user is ordinary; the change that won brings the controller back. */
  #expecting<T>(write: () => T): T | undefined {
    try {
      return write();
    } catch (error) {
      if (error instanceof StatusError && [403, 404, 409].includes(error.code)) return undefined;
      throw error;
    }
  }
}

function requestOf(component: string): ApiRequest {
  return {
    method: "PUT",
    path: "",
    query: new URLSearchParams(),
    accept: "application/json",
    contentType: "application/json",
    userAgent: component,
    body: "",
    user: { name: `system:${component}`, groups: ["system:masters"] },
  };
}
