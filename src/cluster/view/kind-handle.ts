import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../../objects/index.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import { projectionOf } from "./depth.ts";
import { byNamespace } from "./index-keys.ts";
import type { IndexKeys, KindState, KindView, KindViewOptions, ViewEvent } from "./kind-view.ts";
import type { WatchSelection, SharedWatch, WatchUser } from "./shared-watch.ts";

/** One user of a shared watch. It sees its own namespace only, and may be moved to another watch. */
export class KindHandle implements KindView, WatchUser {
  readonly selection: WatchSelection;
  readonly wanted: KindViewOptions["wanted"];
  readonly #options: KindViewOptions;
  readonly #onRelease: (watch: SharedWatch) => void;
  readonly #listeners = new Set<(event: ViewEvent) => void>();
  #watch: SharedWatch;
  #shown: (object: KubernetesObject) => KubernetesObject;

  constructor(
    selection: WatchSelection,
    watch: SharedWatch,
    options: KindViewOptions,
    onRelease: (watch: SharedWatch) => void,
  ) {
    this.selection = selection;
    this.wanted = options.wanted;
    this.#options = options;
    this.#onRelease = onRelease;
    this.#watch = watch;
    this.#shown = projectionOf(watch.selection.depth, selection.depth);
    watch.users.add(this);
    if (watch.refusal !== undefined)
      queueMicrotask(() => {
        this.onTrouble(watch.refusal);
      });
  }

  get kind(): ObjectKind {
    return this.selection.kind;
  }

  get namespace(): string {
    return this.selection.namespace;
  }

  get state(): KindState {
    return this.#watch.state;
  }

  get problem(): unknown {
    return this.#watch.problem;
  }

  get synced(): Promise<void> {
    return this.#watch.synced;
  }

  get(identity: ObjectIdentity): KubernetesObject | undefined {
    const found = this.#watch.copy.get(identity);
    return found === undefined ? undefined : this.#shown(found);
  }

  look(identity: ObjectIdentity): KubernetesObject | "absent" | undefined {
    return this.get(identity) ?? (this.#watch.knows(identity) ? "absent" : undefined);
  }

  *objects(): Iterable<KubernetesObject> {
    const { copy } = this.#watch;
    const own = this.#isNarrower ? copy.indexed(byNamespace, this.namespace) : copy.objects();
    for (const object of own) yield this.#shown(object);
  }

  indexed(by: IndexKeys, key: string): readonly KubernetesObject[] {
    const found = this.#watch.copy.indexed(by, key);
    const own = this.#isNarrower ? found.filter((object) => this.#isOwn(object)) : found;
    return own.map(this.#shown);
  }

  subscribe(
    listener: (event: ViewEvent) => void,
    { replay = false }: { readonly replay?: boolean } = {},
  ): () => void {
    if (replay) for (const object of this.objects()) listener({ kind: "added", object });
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  remember(object: KubernetesObject): void {
    this.#watch.copy.remember(object);
  }

  wake(): void {
    this.#watch.wake();
  }

  release(): void {
    this.#listeners.clear();
    if (this.#watch.users.delete(this)) this.#onRelease(this.#watch);
  }

  readonly onEvent = (event: ViewEvent): void => {
    if (this.#isNarrower && !this.#isOwn(event.object)) return;
    const { kind, object, previous } = event;
    const shown = {
      kind,
      object: this.#shown(object),
      ...(previous === undefined ? {} : { previous: this.#shown(previous) }),
    };
    for (const listener of this.#listeners) listener(shown);
  };

  readonly onState = (): void => {
    this.#options.onState?.();
  };

  readonly onTrouble = (error: unknown): void => {
    this.#options.onTrouble?.(error);
  };

  /** Looks through another watch from now on; what is different there is told as changes. */
  moveTo(watch: SharedWatch): void {
    const before = new Map([...this.objects()].map((object) => [keyOf(object), object]));
    for (const object of this.#watch.copy.written()) watch.copy.remember(object);
    this.#watch.users.delete(this);
    this.#watch = watch;
    this.#shown = projectionOf(watch.selection.depth, this.selection.depth);
    watch.users.add(this);
    for (const object of this.objects()) {
      const previous = before.get(keyOf(object));
      before.delete(keyOf(object));
      if (previous === undefined) this.onEvent({ kind: "added", object });
      else if (previous.metadata.resourceVersion !== object.metadata.resourceVersion)
        this.onEvent({ kind: "updated", object, previous });
    }
    for (const object of before.values()) this.onEvent({ kind: "deleted", object });
    this.onState();
  }

  get #isNarrower(): boolean {
    return this.selection.namespace !== this.#watch.selection.namespace;
  }

  #isOwn({ metadata }: KubernetesObject): boolean {
    return metadata.namespace === this.selection.namespace;
  }
}

function keyOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}
