import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../clock.ts";

const events = "/events";
/** How many events are remembered so that repetitions are counted; older ones begin anew. */
const mostRemembered = 5000;

export interface EventNote {
  readonly type?: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The part of the object that it is about, such as `spec.containers{app}`. */
  readonly fieldPath?: string;
  /** What was being done; components that say it write the newer form of events. */
  readonly action?: string;
}

/** Writes events about objects in the name of one component; the same one again is counted. */
export class EventWriter {
  readonly #context: ApiContext;
  readonly #component: string;
  readonly #manager: string;
  readonly #host: string | undefined;
  readonly #known = new Map<string, string>();
  #sequence = 0;

  constructor(context: ApiContext, component: string, manager: string, host?: string) {
    this.#context = context;
    this.#component = component;
    this.#manager = manager;
    this.#host = host;
  }

  record(about: KubernetesObject, note: EventNote): void {
    const namespace = about.metadata.namespace ?? "default";
    const parent = this.#context.store.get("/namespaces", "", namespace)?.object;
    if (parent === undefined || parent.metadata.deletionTimestamp !== undefined) return;
    const { type = "Normal", reason, message, fieldPath = "" } = note;
    const id = [about.metadata.uid, fieldPath, type, reason, message].join("|");
    if (this.#countAgain(namespace, id)) return;
    const name = this.#newName(about.metadata.name ?? "");
    this.#context.store.put(events, this.#event(about, note, namespace, name));
    this.#remember(id, name);
  }

  #countAgain(namespace: string, id: string): boolean {
    const name = this.#known.get(id);
    if (name === undefined) return false;
    const live = this.#context.store.get(events, namespace, name)?.object;
    if (live === undefined) return false;
    const count = typeof live["count"] === "number" ? live["count"] + 1 : 2;
    const lastTimestamp = timestamp(this.#context.clock.now());
    this.#context.store.put(events, { ...live, count, lastTimestamp });
    return true;
  }

  #remember(id: string, name: string): void {
    this.#known.set(id, name);
    if (this.#known.size <= mostRemembered) return;
    const oldest = this.#known.keys().next();
    if (oldest.done !== true) this.#known.delete(oldest.value);
  }

  /** Real ones end with the nanoseconds of the clock in hexadecimal digits. */
  #newName(name: string): string {
    const nanoseconds = BigInt(this.#context.clock.now()) * 1_000_000n;
    return `${name}.${(nanoseconds + BigInt(this.#sequence++ % 1_000_000)).toString(16)}`;
  }

  /** Events are many and nobody's wish: they skip the way through admission that objects take. */
  #event(
    about: KubernetesObject,
    { type = "Normal", reason, message, fieldPath, action }: EventNote,
    namespace: string,
    name: string,
  ): KubernetesObject {
    const milliseconds = this.#context.clock.now();
    const now = timestamp(milliseconds);
    const { metadata } = about;
    const source = {
      component: this.#component,
      ...(this.#host === undefined ? {} : { host: this.#host }),
    };
    return {
      kind: "Event",
      apiVersion: "v1",
      metadata: {
        name,
        namespace,
        uid: this.#context.random.uuid(),
        creationTimestamp: now,
        managedFields: [
          {
            manager: this.#manager,
            operation: "Update",
            apiVersion: "v1",
            time: now,
            fieldsType: "FieldsV1",
            fieldsV1: this.#host === undefined ? ownedFields : ownedFieldsWithHost,
          },
        ],
      },
      involvedObject: {
        kind: about.kind,
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
        name: metadata.name,
        uid: metadata.uid,
        apiVersion: about.apiVersion,
        resourceVersion: metadata.resourceVersion,
        ...(fieldPath === undefined ? {} : { fieldPath }),
      },
      reason,
      message,
      ...(action === undefined
        ? {
            source,
            firstTimestamp: now,
            lastTimestamp: now,
            count: 1,
            type,
            eventTime: null,
          }
        : {
            source: {},
            firstTimestamp: null,
            lastTimestamp: null,
            type,
            eventTime: `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`,
            action,
          }),
      reportingComponent: this.#component,
      reportingInstance: this.#host ?? "",
    };
  }
}

const ownedFields = {
  "f:count": {},
  "f:firstTimestamp": {},
  "f:involvedObject": {},
  "f:lastTimestamp": {},
  "f:message": {},
  "f:reason": {},
  "f:reportingComponent": {},
  "f:source": { "f:component": {} },
  "f:type": {},
};

const ownedFieldsWithHost = {
  ...ownedFields,
  "f:reportingInstance": {},
  "f:source": { "f:component": {}, "f:host": {} },
};
