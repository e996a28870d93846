import {
  accountOf,
  type BlueprintGroup,
  type Family,
  realizeOwner,
  stepLabel,
} from "../../blueprints/index.ts";
import { type Cluster, isApiError, isUnserved } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { fieldAt, objectsIn } from "../../json/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import { requireKindGone } from "../../observe/index.ts";
import type { OutsideWatches } from "../outside-objects.ts";
import { OwnedReadiness } from "../owned-readiness.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import type { BlueprintServices } from "./blueprint-services.ts";
import type { BlueprintWatches } from "./blueprint-watches.ts";
import { isNewRequest, keyOfObject, ownerKey, readOwnerKey } from "./owner-key.ts";
import { perform } from "./perform.ts";
import { releaseOwned } from "./release-owned.ts";
import { StampedObjects } from "./stamped-objects.ts";
import { tryAgain } from "./try-again.ts";

/** Looks after Workloads or Deliverables, of both groups. */
export function ownerReconciler(family: Family, services: BlueprintServices): Reconciler {
  let watches = new Map<BlueprintGroup, BlueprintWatches>();
  let stamped: StampedObjects | undefined;
  let readiness: OwnedReadiness | undefined;
  let outside: OutsideWatches | undefined;

  /** Owners that a change of blueprints may concern; all of a group, when no names are given. */
  function* ownersOf(group: BlueprintGroup, blueprints?: readonly string[]): Generator<string> {
    for (const owner of watches.get(group)?.kind(family.ownerKind).objects() ?? []) {
      const name = fieldAt(owner, "status", family.refField, "name");
      const isServed = typeof name === "string" && (blueprints?.includes(name) ?? true);
      if (blueprints === undefined || isServed) yield keyOfObject(owner);
    }
  }

  return {
    name: `${family.ownerName}s`,

    async start(context) {
      const { queue, informers } = context;
      watches = await services.watches(context);
      outside = services.outside(context);
      stamped = new StampedObjects({
        informers,
        namespace: services.namespace,
        label: stepLabel,
        onChange: ({ apiVersion, kind, name }, namespace) => {
          const group = groupOf(apiVersion) as BlueprintGroup;
          if (kind === family.ownerKind && watches.has(group))
            queue.add(ownerKey({ group, namespace, name }));
        },
      });
      const knowledge = await ClusterKnowledge.open(context.cluster, informers);
      knowledge.onChange(() => {
        for (const group of watches.keys()) for (const key of ownersOf(group)) queue.add(key);
      });
      readiness = new OwnedReadiness({
        knowledge,
        informers,
        namespace: services.namespace,
        depth: "metadata",
        onOwned: (uid) => {
          for (const { metadata } of stamped?.withUid(uid) ?? []) {
            const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
            if (owner?.kind !== family.ownerKind) continue;
            const group = groupOf(owner.apiVersion) as BlueprintGroup;
            queue.add(ownerKey({ group, namespace: metadata.namespace ?? "", name: owner.name }));
          }
        },
      });
      for (const [group, each] of watches) {
        each.kind(family.ownerKind).subscribe(({ kind, object, previous }) => {
          if (kind === "deleted") {
            stamped?.forget(object.metadata.uid ?? "");
            outside?.set(keyOfObject(object), []);
          } else if (isNewRequest(object, previous)) {
            queue.forgive(keyOfObject(object));
            queue.add(keyOfObject(object));
          }
        });
        each.kind(family.blueprintKind).subscribe(({ kind, object, previous }) => {
          if (kind !== "deleted" && !isNewRequest(object, previous)) return;
          for (const key of ownersOf(group)) queue.add(key);
        });
        each.onTemplate(family, (blueprints) => {
          for (const key of ownersOf(group, blueprints)) queue.add(key);
        });
        await each.synced([family.ownerKind, family.blueprintKind, ...family.templateKinds]);
        // What cannot be watched yet is looked at again with each owner.
        await watchStampedKinds(each.kind(family.ownerKind).objects(), stamped, context).catch(
          () => undefined,
        );
      }
    },

    async reconcile(key, context) {
      const { group, namespace, name } = readOwnerKey(key);
      const watched = watches.get(group);
      const informer = watched?.kind(family.ownerKind);
      const owner = informer?.get({ group, kind: family.ownerKind, namespace, name });
      if (
        owner === undefined ||
        watched === undefined ||
        informer === undefined ||
        stamped === undefined ||
        readiness === undefined
      )
        return { kind: "done" };
      const performing = services.performing(context);
      const record = services.record(owner, informer, context);
      await watchStampedKinds([owner], stamped, context);
      const blueprints = watched.blueprints(family);
      const account = accountOf({ owner, blueprints });
      const writing = { ...performing, account, blueprints, stamped };
      if (owner.metadata.deletionTimestamp !== undefined)
        return releaseOwned(record, writing, context);
      const list: Cluster["list"] = (kind, options) =>
        performing.accounts.as(account, (cluster) => cluster.list(kind, options));
      await judge(readiness, stamped.of(owner), { list });
      const awaited = services.awaited(context, readiness.rulesOf);
      const reads = services.reads(context, account, namespace);
      const { templateOf } = watched;
      const { status, refusals, changes } = await perform(
        record,
        (world, accountProblem) =>
          realizeOwner({ owner, family, blueprints, templateOf, accountProblem, world }),
        { ...writing, readiness, awaited, reads },
      );
      // What was stamped just now may wait for objects that nobody watches yet.
      const { afterMs } = await judge(readiness, stamped.of(owner), { list });
      outside?.set(key, awaited.watched);
      await record.writeStatus(status, changes);
      return tryAgain(
        owner,
        status,
        refusals,
        afterMs ?? awaited.againMs ?? reads.againMs,
        context,
      );
    },
  };
}

/** Gathers what is needed to judge objects; says when to look at their pods again. */
async function judge(
  readiness: OwnedReadiness,
  objects: readonly KubernetesObject[],
  reader: Pick<Cluster, "list">,
): ReturnType<OwnedReadiness["look"]> {
  await Promise.all(
    objects.map(async (object) => {
      try {
        await readiness.watchOwned(object);
      } catch (error) {
        // What may not be watched is not there as far as anybody knows.
        if (!(error instanceof DiagnosticError)) throw error;
      }
    }),
  );
  return readiness.look(objects, reader);
}

/**
 * The kinds that owners say they have stamped, so that nothing of theirs is overlooked. A kind of which
 * nobody knows whether it is gone fails: what it stamped must not be forgotten.
 */
async function watchStampedKinds(
  owners: Iterable<KubernetesObject>,
  stamped: StampedObjects,
  { log, cluster }: Pick<ReconcilerContext, "log" | "cluster">,
): Promise<void> {
  const kinds = new Map<string, { readonly apiVersion: string; readonly kind: string }>();
  for (const owner of owners) {
    const told = [
      ...objectsIn(fieldAt(owner, "status", "resources")).map((step) => step["stampedRef"]),
      ...objectsIn(fieldAt(owner, "status", "stayingObjects")),
    ];
    for (const reference of told) {
      const apiVersion = fieldAt(reference, "apiVersion");
      const kind = fieldAt(reference, "kind");
      if (typeof apiVersion === "string" && typeof kind === "string")
        kinds.set(`${apiVersion} ${kind}`, { apiVersion, kind });
    }
  }
  await Promise.all(
    [...kinds.values()].map((kind) =>
      stamped.watch(kind).catch(async (error: unknown) => {
        // A kind that is gone has no objects left; one that we may not see is told when it is stamped.
        log.warn({ kind: kind.kind, error: (error as Error).message }, "stamped kind not watched");
        if (isUnserved(error)) await requireKindGone(cluster, kind);
        else if (!isApiError(error, "Forbidden", "MethodNotAllowed")) throw error;
      }),
    ),
  );
}
