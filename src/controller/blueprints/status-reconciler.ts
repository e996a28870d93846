import {
  type BlueprintGroup,
  blueprintStatus,
  type Family,
  readBlueprint,
} from "../../blueprints/index.ts";
import type { Reconciler } from "../runtime/reconciler.ts";
import { blueprintManager, type BlueprintServices } from "./blueprint-services.ts";
import type { BlueprintWatches } from "./blueprint-watches.ts";
import { isNewRequest, keyOfObject, ownerKey, readOwnerKey } from "./owner-key.ts";
import { writeStatus } from "../write-status.ts";

/** Tells of supply chains or deliveries whether they can serve. */
export function blueprintStatusReconciler(family: Family, services: BlueprintServices): Reconciler {
  let watches = new Map<BlueprintGroup, BlueprintWatches>();
  return {
    name: family.blueprintName === "delivery" ? "deliveries" : "supply-chains",

    async start(context) {
      watches = await services.watches(context);
      for (const [group, each] of watches) {
        each.kind(family.blueprintKind).subscribe(({ kind, object, previous }) => {
          if (kind !== "deleted" && isNewRequest(object, previous))
            context.queue.add(keyOfObject(object));
        });
        each.onTemplate(family, (blueprints) => {
          for (const name of blueprints)
            context.queue.add(ownerKey({ group, namespace: "", name }));
        });
        await each.synced([family.blueprintKind, ...family.templateKinds]);
      }
    },

    async reconcile(key, { cluster, signal }) {
      const { group, name } = readOwnerKey(key);
      const watched = watches.get(group);
      const informer = watched?.kind(family.blueprintKind);
      const object = informer?.get({ group, kind: family.blueprintKind, namespace: "", name });
      const blueprint = object === undefined ? undefined : readBlueprint(object);
      if (watched === undefined || informer === undefined || blueprint === undefined)
        return { kind: "done" };
      const status = blueprintStatus(blueprint, watched.templateOf, services.now);
      await writeStatus(blueprint.object, status, {
        cluster,
        informer,
        signal,
        manager: blueprintManager,
      });
      return { kind: "done" };
    },
  };
}
