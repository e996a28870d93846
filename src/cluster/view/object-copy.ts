import { fail } from "../../diagnostics/index.ts";
import {
  identityKey,
  identityOf,
  isLaterVersion,
  isNewerVersion,
  type KubernetesObject,
  type ObjectIdentity,
} from "../../objects/index.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import type { WatchEvent } from "../api/watch.ts";
import type { IndexKeys, ViewEvent } from "./kind-view.ts";

export interface ObjectCopyOptions {
  readonly kind: ObjectKind;
  /** What to keep of an object. */
  readonly keep: (object: KubernetesObject) => KubernetesObject;
  /** More objects than this are a failure, not a memory that fills up. */
  readonly mostObjects: number;
  readonly onEvent: (event: ViewEvent) => void;
}

/**
 * A copy of the objects of a kind. The answers to our own writes lie over it until the copy has come
 * that far, so that nobody acts on a state from before their own write.
 */
export class ObjectCopy {
  readonly #options: ObjectCopyOptions;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #written = new Map<string, KubernetesObject>();
  readonly #indexes = new Map<IndexKeys, Map<string, Set<string>>>();
  /** How far the watch has come; empty without a watch. */
  #version = "";

  constructor(options: ObjectCopyOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(identity: ObjectIdentity): KubernetesObject | undefined {
    const key = identityKey(identity);
    return this.#ownWrite(key) ?? this.#objects.get(key);
  }

  *objects(): IterableIterator<KubernetesObject> {
    for (const [key, object] of this.#objects) yield this.#ownWrite(key) ?? object;
    for (const key of this.#written.keys()) {
      const written = this.#objects.has(key) ? undefined : this.#ownWrite(key);
      if (written !== undefined) yield written;
    }
  }

  indexed(by: IndexKeys, key: string): readonly KubernetesObject[] {
    return [...(this.#index(by).get(key) ?? [])].flatMap(
      (each) => this.#ownWrite(each) ?? this.#objects.get(each) ?? [],
    );
  }

  /** The answers to writes that the copy does not hold yet. */
  written(): readonly KubernetesObject[] {
    return [...this.#written.keys()].flatMap((key) => this.#ownWrite(key) ?? []);
  }

  remember(object: KubernetesObject): void {
    const kept = this.#kept(object);
    const key = identityKey(identityOf(kept));
    const known = this.#objects.get(key);
    if (known !== undefined && isNewerVersion(known, kept)) return;
    this.#written.set(key, kept);
    this.#ownWrite(key);
  }

  /** Takes what a watch reports. */
  take(event: WatchEvent): void {
    switch (event.kind) {
      case "snapshot":
        this.replace(event.objects);
        this.#version = event.resourceVersion;
        return;
      case "bookmark":
        this.#version = event.resourceVersion;
        return;
      case "deleted":
        this.remove(identityOf(this.#kept(event.object)), event.object);
        break;
      case "added":
      case "modified":
        this.put(event.object);
        break;
    }
    this.#version = event.object.metadata.resourceVersion ?? "";
  }

  /** Takes everything that there is. */
  replace(objects: readonly KubernetesObject[]): void {
    const kept = objects.map((object) => this.#kept(object));
    const present = new Set(kept.map((object) => identityKey(identityOf(object))));
    for (const [key, object] of this.#objects)
      if (!present.has(key)) this.remove(identityOf(object));
    for (const object of kept) this.#put(object);
  }

  put(object: KubernetesObject): void {
    this.#put(this.#kept(object));
  }

  /** Forgets an object; `last` is how it was in the end. */
  remove(identity: ObjectIdentity, last?: KubernetesObject): void {
    const key = identityKey(identity);
    const known = this.#objects.get(key);
    this.#written.delete(key);
    if (known === undefined) return;
    this.#objects.delete(key);
    for (const [by, index] of this.#indexes) unfile(index, by, key, known);
    const object = last === undefined ? known : this.#kept(last);
    this.#options.onEvent({ kind: "deleted", object });
  }

  #put(object: KubernetesObject): void {
    const key = identityKey(identityOf(object));
    const previous = this.#objects.get(key);
    const written = this.#written.get(key);
    if (written !== undefined && !isNewerVersion(written, object)) this.#written.delete(key);
    if (
      previous !== undefined &&
      previous.metadata.resourceVersion === object.metadata.resourceVersion
    )
      return;
    const { mostObjects, kind, onEvent } = this.#options;
    if (previous === undefined && this.#objects.size >= mostObjects)
      fail({
        code: "cluster.cache-full",
        summary: `cannot keep track of ${kind.kind} objects: there are more than ${mostObjects}`,
        hint: "choose a namespace or a label selector",
      });
    this.#objects.set(key, object);
    for (const [by, index] of this.#indexes) {
      if (previous !== undefined) unfile(index, by, key, previous);
      file(index, by, key, object);
    }
    onEvent(
      previous === undefined ? { kind: "added", object } : { kind: "updated", object, previous },
    );
  }

  /** Objects of which only metadata was asked for come as another kind. */
  #kept(object: KubernetesObject): KubernetesObject {
    const { apiVersion, kind } = this.#options.kind;
    const isOwn = object.kind === kind;
    return this.#options.keep(isOwn ? object : { ...object, apiVersion, kind });
  }

  #ownWrite(key: string): KubernetesObject | undefined {
    const written = this.#written.get(key);
    const { resourceVersion = "" } = written?.metadata ?? {};
    if (written === undefined || this.#version === "") return written;
    if (isLaterVersion(resourceVersion, this.#version)) return written;
    this.#written.delete(key);
    return undefined;
  }

  #index(by: IndexKeys): Map<string, Set<string>> {
    const known = this.#indexes.get(by);
    if (known !== undefined) return known;
    const index = new Map<string, Set<string>>();
    this.#indexes.set(by, index);
    for (const [key, object] of this.#objects) file(index, by, key, object);
    return index;
  }
}

function file(
  index: Map<string, Set<string>>,
  by: IndexKeys,
  own: string,
  object: KubernetesObject,
): void {
  for (const key of by(object)) {
    const filed = index.get(key);
    if (filed === undefined) index.set(key, new Set([own]));
    else filed.add(own);
  }
}

function unfile(
  index: Map<string, Set<string>>,
  by: IndexKeys,
  own: string,
  object: KubernetesObject,
): void {
  for (const key of by(object)) {
    const filed = index.get(key);
    filed?.delete(own);
    if (filed?.size === 0) index.delete(key);
  }
}
