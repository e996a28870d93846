import {
  type BlueprintGroup,
  type Family,
  realizeOwner,
  stepLabel,
} from "../../blueprints/index.ts";
import { fieldAt, groupOf, type KubernetesObject, objectsIn } from "../../objects/index.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import type { BlueprintServices } from "./blueprint-services.ts";
import type { BlueprintWatches } from "./blueprint-watches.ts";
import { isNewRequest, keyOfObject, ownerKey, readOwnerKey } from "./owner-key.ts";
import { perform } from "./perform.ts";
import { StampedReadiness } from "./stamped-readiness.ts";
import { StampedObjects } from "./stamped-objects.ts";
import { tryAgain } from "./try-again.ts";
import { writeStatus } from "./write-status.ts";

/** Looks after Workloads or Deliverables, of both groups. */
export function ownerReconciler(family: Family, services: BlueprintServices): Reconciler {
  let watches = new Map<BlueprintGroup, BlueprintWatches>();
  let stamped: StampedObjects | undefined;
  let readiness: StampedReadiness | undefined;

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
      readiness = await StampedReadiness.open(
        context,
        services.namespace,
        (uid) => {
          for (const { metadata } of stamped?.withUid(uid) ?? []) {
            const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
            if (owner?.kind !== family.ownerKind) continue;
            const group = groupOf(owner.apiVersion) as BlueprintGroup;
            queue.add(ownerKey({ group, namespace: metadata.namespace ?? "", name: owner.name }));
          }
        },
        () => {
          for (const group of watches.keys()) for (const key of ownersOf(group)) queue.add(key);
        },
      );
      for (const [group, each] of watches) {
        each.kind(family.ownerKind).subscribe(({ kind, object, previous }) => {
          if (kind === "deleted") stamped?.forget(object.metadata.uid ?? "");
          else if (isNewRequest(object, previous)) {
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
        await watchStampedKinds(each.kind(family.ownerKind).objects(), stamped, context);
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
        stamped === undefined
      )
        return { kind: "done" };
      // What it owns goes with it, which is the garbage collector's to do.
      if (owner.metadata.deletionTimestamp !== undefined) return { kind: "done" };
      await watchStampedKinds([owner], stamped, context);
      const blueprints = watched.blueprints(family);
      const { status, refusals } = await perform(
        owner.metadata.uid ?? "",
        (world, accountProblem) =>
          realizeOwner({
            owner,
            family,
            blueprints,
            templateOf: watched.templateOf,
            accountProblem,
            world,
          }),
        {
          ...services.performing(context),
          stamped,
          readiness: (await readiness?.of(stamped.of(owner.metadata.uid ?? ""))) ?? {},
        },
      );
      // What was stamped just now may wait for objects that nobody watches yet.
      await readiness?.of(stamped.of(owner.metadata.uid ?? ""));
      await writeStatus(context.cluster, informer, owner, status, context.signal);
      return tryAgain(owner, status, refusals, context);
    },
  };
}

/** The kinds that owners say they have stamped, so that nothing of theirs is overlooked. */
async function watchStampedKinds(
  owners: Iterable<KubernetesObject>,
  stamped: StampedObjects,
  { log }: ReconcilerContext,
): Promise<void> {
  const kinds = new Map<string, { readonly apiVersion: string; readonly kind: string }>();
  for (const owner of owners) {
    for (const step of objectsIn(fieldAt(owner, "status", "resources"))) {
      const apiVersion = fieldAt(step, "stampedRef", "apiVersion");
      const kind = fieldAt(step, "stampedRef", "kind");
      if (typeof apiVersion === "string" && typeof kind === "string")
        kinds.set(`${apiVersion} ${kind}`, { apiVersion, kind });
    }
  }
  await Promise.all(
    [...kinds.values()].map((kind) =>
      stamped.watch(kind).catch((error: unknown) => {
        // A kind that is gone has no objects left; one that we may not see is told when it is stamped.
        log.warn({ kind: kind.kind, error: (error as Error).message }, "stamped kind not watched");
      }),
    ),
  );
}
