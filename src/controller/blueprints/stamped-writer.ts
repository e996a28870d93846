import { type OwnerMarks, OwnedWriter } from "../../apply/index.ts";
import {
  accountAnnotation,
  digestAnnotation,
  labelPrefix,
  type ServiceAccount,
  writerOf,
} from "../../blueprints/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  maskTexts,
  secretValues,
} from "../../objects/index.ts";
import { type StepTrouble, waitsForAnnotation } from "../../plan/index.ts";
import type { AccountClusters } from "../account-clusters.ts";
import { AccountError } from "../account-error.ts";
import { ownerOf, type StampedObjects } from "./stamped-objects.ts";

export interface StampedWriterOptions {
  /** As whom the owner's objects are written. */
  readonly account: ServiceAccount;
  readonly accounts: AccountClusters;
  /** All that may serve the owner: they name accounts. */
  readonly blueprints: readonly KubernetesObject[];
  readonly stamped: StampedObjects;
  /** Secrets that what is stamped may take values from, beside those that were stamped. */
  readonly secrets?: readonly KubernetesObject[] | undefined;
  readonly signal: AbortSignal;
}

/** Writes and removes what is stamped for one owner, with the rights of its service accounts. */
export function stampedWriter(
  owner: KubernetesObject,
  { account, accounts, blueprints, stamped, secrets = [], signal }: StampedWriterOptions,
): OwnedWriter {
  const { uid = "" } = owner.metadata;
  return new OwnedWriter({
    // Each owner writes under a name of its own: what one has stamped another one cannot take over
    // without being told of the conflict.
    manager: `keelson-blueprints-${uid}`,
    propagationPolicy: "Background",
    signal,
    objects: {
      watch: (kind) => stamped.watch(kind),
      find: (object) => {
        const key = identityKey(identityOf(object));
        return stamped.of(owner).find((each) => identityKey(identityOf(each)) === key);
      },
      written: (_step, desired, answer) => {
        stamped.remember(desired, answer);
      },
      leaving: (answer) => {
        stamped.rememberLeaving(answer);
      },
      replacing: stamped.replacing,
    },
    // Removed as whoever wrote it: the account may have changed since, or the blueprint that named it.
    as: ({ kind, object }, work) =>
      accounts.as(
        kind === "apply" ? account : (writerOf(object, owner, blueprints) ?? account),
        work,
      ),
    isOwn: (found) => ownerOf(found)?.uid === uid,
    taken: (found) => {
      const controller = ownerOf(found);
      const whose = controller === undefined ? "nobody" : `${controller.kind} ${controller.name}`;
      return `${found.kind} ${found.metadata.name ?? ""} exists and is controlled by ${whose}, not by this ${owner.kind}`;
    },
    marksOf: (live) => marksOf(live, uid),
    masked: (text) => maskTexts(text, secretValues([...stamped.of(owner), ...secrets])),
    isOfObject: (error) => !(error instanceof AccountError),
  });
}

/** What a release takes away: all by which stamping says whose an object is. */
function marksOf({ metadata }: KubernetesObject, ownerUid: string): OwnerMarks {
  return {
    labels: Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(labelPrefix)),
    annotations: [accountAnnotation, digestAnnotation, waitsForAnnotation],
    isOwnReference: ({ uid }) => uid === ownerUid,
  };
}

export interface AccountProblem {
  readonly reason: "ServiceAccountError" | "ServiceAccountTokenError";
  readonly message: string;
}

/** Whether it was the token that could not be had. */
export function accountProblemOf({ cause }: StepTrouble): AccountProblem | undefined {
  if (!(cause instanceof AccountError)) return undefined;
  const { account, isMissing, reason } = cause;
  const what = `service account [${account.namespace}/${account.name}]`;
  return isMissing
    ? { reason: "ServiceAccountError", message: `failed to get ${what}: it does not exist` }
    : {
        reason: "ServiceAccountTokenError",
        message: `failed to get token for ${what}: ${reason}`,
      };
}

/** What stands in the way of a step, for a person. */
export function troubleText(trouble: StepTrouble): string {
  return accountProblemOf(trouble)?.message ?? trouble.message;
}
