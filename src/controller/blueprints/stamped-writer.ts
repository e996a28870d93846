import {
  deleteLive,
  describeRefusal,
  objectChange,
  type OwnerMarks,
  releaseObject,
  type Removed,
  writeObject,
  type WrittenObject,
} from "../../apply/index.ts";
import {
  accountAnnotation,
  type Action,
  digestAnnotation,
  labelPrefix,
  type ServiceAccount,
  writerOf,
} from "../../blueprints/index.ts";
import { type Cluster, isApiError } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { HistoryObject } from "../../inventory/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import { waitsForAnnotation } from "../../plan/index.ts";
import type { AccountClusters } from "../account-clusters.ts";
import { AccountError } from "../account-error.ts";
import { findTaken } from "../find-taken.ts";
import { ownerOf, type StampedObjects } from "./stamped-objects.ts";

/** Told why a write is still tried again, before it comes to an end. */
type OnRetry = (message: string) => void;

export interface AccountProblem {
  readonly reason: "ServiceAccountError" | "ServiceAccountTokenError";
  readonly message: string;
}

/** What the server said no to: an answer, not a failure. */
export type Refused =
  | { readonly kind: "account"; readonly problem: AccountProblem }
  | { readonly kind: "refused"; readonly message: string };

export interface StampedWriterOptions {
  readonly owner: KubernetesObject;
  /** All that may serve the owner: they name accounts. */
  readonly blueprints: readonly KubernetesObject[];
  readonly stamped: StampedObjects;
  readonly accounts: AccountClusters;
  readonly signal: AbortSignal;
}

/** Writes and removes what is stamped for one owner, with the rights of its service accounts. */
export class StampedWriter {
  /** What was done, for the history. */
  readonly changes: HistoryObject[] = [];
  /** Uids of what is gone, or nobody's, although the watch has not told of it yet. */
  readonly gone = new Set<string>();
  readonly #options: StampedWriterOptions;

  constructor(options: StampedWriterOptions) {
    this.#options = options;
  }

  async write(
    { object, force }: Extract<Action, { kind: "apply" }>,
    account: ServiceAccount | undefined,
    onRetry: OnRetry,
  ): Promise<Refused | undefined> {
    if (account === undefined) return undefined;
    const { stamped } = this.#options;
    const key = identityKey(identityOf(object));
    let live: KubernetesObject | undefined;
    const write = (isOurs: boolean, before: KubernetesObject | undefined): Promise<WrittenObject> =>
      this.#as(account, (cluster) =>
        writeObject(object, before, {
          cluster,
          manager: this.#manager,
          force: isOurs,
          // The watches tell only of stamped objects; this name may be taken by another one.
          createsOnly: !isOurs,
          signal: this.#options.signal,
          onRetry: (cause) => {
            onRetry(describeRefusal(cause, { sent: object, live: before }));
          },
        }),
      );
    try {
      // Watched before it is written: what its controller makes of it must not be missed.
      await stamped.watch(object);
      live = this.#liveOf(key);
      let before = live;
      let written: WrittenObject;
      try {
        written = await write(force, before);
      } catch (error) {
        if (before !== undefined || !isApiError(error, "Conflict")) throw error;
        const found = await this.#as(account, (cluster) => findTaken(cluster, object));
        if (found === undefined) throw error;
        const taken = this.#takenBy(found);
        if (taken !== undefined) return taken;
        before = found;
        written = await write(true, before);
      }
      if (written.kind === "deleted") {
        stamped.replacing.add(key);
        if (written.object === undefined) this.gone.add(before?.metadata.uid ?? "");
        else stamped.rememberLeaving(written.object);
        return undefined;
      }
      stamped.remember(object, written.object);
      const change = objectChange(before, written.object);
      const action = stamped.replacing.delete(key) ? { action: "replaced" as const } : {};
      if (change !== undefined) this.changes.push({ key, ...change, ...action });
      return undefined;
    } catch (error) {
      return this.#refused(error, object, live);
    }
  }

  /** Removes as whoever wrote it: the account may have changed since, or the blueprint that named it. */
  async remove(
    object: KubernetesObject,
    account: ServiceAccount | undefined,
    how: "delete" | "release",
  ): Promise<Refused | undefined> {
    const { metadata } = object;
    const { owner, blueprints } = this.#options;
    const { namespace = "" } = owner.metadata;
    const writer = writerOf(object, owner, blueprints) ?? account ?? { namespace, name: "default" };
    const { signal } = this.#options;
    try {
      const removed = await this.#as(writer, (cluster): Promise<Removed> =>
        how === "delete"
          ? deleteLive(cluster, object, { signal, propagationPolicy: "Background" })
          : releaseObject(cluster, object, this.#marks(object), {
              signal,
              fieldManager: this.#manager,
            }),
      );
      const answer = "object" in removed ? removed.object : undefined;
      // What has finalizers is there until the watch says otherwise, and what it depends on waits.
      const isThere = how === "delete" && answer?.metadata.deletionTimestamp !== undefined;
      if (!isThere) this.gone.add(metadata.uid ?? "");
      if (answer !== undefined && (isThere || how === "release"))
        this.#options.stamped.rememberLeaving(answer);
      if (how === "delete")
        this.changes.push({ key: identityKey(identityOf(object)), action: "pruned" });
      return undefined;
    } catch (error) {
      return this.#refused(error, object, object);
    }
  }

  /** What a release takes away: all by which stamping says whose an object is. */
  #marks({ metadata }: KubernetesObject): OwnerMarks {
    return {
      labels: Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(labelPrefix)),
      annotations: [accountAnnotation, digestAnnotation, waitsForAnnotation],
      isOwnReference: ({ uid }) => uid === this.#ownerUid,
    };
  }

  /**
   * Each owner writes under a name of its own: what one has stamped another one cannot take over without
   * being told of the conflict.
   */
  get #manager(): string {
    return `keelson-blueprints-${this.#ownerUid}`;
  }

  get #ownerUid(): string {
    return this.#options.owner.metadata.uid ?? "";
  }

  /** Why an object of the name that was to be stamped stays as it is, unless it is the owner's own. */
  #takenBy(found: KubernetesObject): Refused | undefined {
    const controller = ownerOf(found);
    if (controller?.uid === this.#ownerUid) return undefined;
    const whose = controller === undefined ? "nobody" : `${controller.kind} ${controller.name}`;
    const { kind, metadata } = found;
    const message = `${kind} ${metadata.name ?? ""} exists and is controlled by ${whose}, not by this ${this.#options.owner.kind}`;
    this.changes.push({ key: identityKey(identityOf(found)), action: "failed" });
    return { kind: "refused", message };
  }

  #liveOf(key: string): KubernetesObject | undefined {
    return this.#options.stamped
      .of(this.#options.owner)
      .find(
        (each) => identityKey(identityOf(each)) === key && !this.gone.has(each.metadata.uid ?? ""),
      );
  }

  #as<T>(account: ServiceAccount, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    return this.#options.accounts.as(account, work);
  }

  #refused(error: unknown, object: KubernetesObject, live: KubernetesObject | undefined): Refused {
    if (!(error instanceof DiagnosticError) || this.#options.signal.aborted) throw error;
    const problem = accountProblemOf(error);
    if (problem !== undefined) return { kind: "account", problem };
    this.changes.push({ key: identityKey(identityOf(object)), action: "failed" });
    return { kind: "refused", message: describeRefusal(error, { sent: object, live }) };
  }
}

/** Whether it was the token that could not be had. */
function accountProblemOf(error: DiagnosticError): AccountProblem | undefined {
  if (!(error instanceof AccountError)) return undefined;
  const { account, isMissing, reason } = error;
  const what = `service account [${account.namespace}/${account.name}]`;
  return isMissing
    ? { reason: "ServiceAccountError", message: `failed to get ${what}: it does not exist` }
    : {
        reason: "ServiceAccountTokenError",
        message: `failed to get token for ${what}: ${reason}`,
      };
}
