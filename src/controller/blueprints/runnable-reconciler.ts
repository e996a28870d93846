import {
  type BlueprintGroup,
  realizeRunnable,
  runnableLabel,
  type Selected,
  type ServiceAccount,
} from "../../blueprints/index.ts";
import { isApiError } from "../../cluster/index.ts";
import { fieldAt, groupOf, isJsonObject, type KubernetesObject } from "../../objects/index.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import type { BlueprintServices } from "./blueprint-services.ts";
import type { BlueprintWatches } from "./blueprint-watches.ts";
import { isNewRequest, keyOfObject, ownerKey, readOwnerKey } from "./owner-key.ts";
import { perform } from "./perform.ts";
import { StampedObjects } from "./stamped-objects.ts";
import { tryAgain } from "./try-again.ts";
import { writeStatus } from "./write-status.ts";

/** Looks after Runnables, of both groups. */
export function runnableReconciler(services: BlueprintServices): Reconciler {
  let watches = new Map<BlueprintGroup, BlueprintWatches>();
  let stamped: StampedObjects | undefined;
  return {
    name: "runnables",

    async start(context) {
      const { queue, informers } = context;
      watches = await services.watches(context);
      stamped = new StampedObjects({
        informers,
        namespace: services.namespace,
        label: runnableLabel,
        onChange: ({ apiVersion, kind, name }, namespace) => {
          const group = groupOf(apiVersion) as BlueprintGroup;
          if (kind === "Runnable" && watches.has(group))
            queue.add(ownerKey({ group, namespace, name }));
        },
      });
      for (const each of watches.values()) {
        each.kind("Runnable").subscribe(({ kind, object, previous }) => {
          if (kind === "deleted") stamped?.forget(object.metadata.uid ?? "");
          else if (isNewRequest(object, previous)) queue.add(keyOfObject(object));
        });
        each.kind("ClusterRunTemplate").subscribe(({ object }) => {
          for (const runnable of each.kind("Runnable").objects())
            if (templateNameOf(runnable) === object.metadata.name) queue.add(keyOfObject(runnable));
        });
        await each.synced(["Runnable", "ClusterRunTemplate"]);
      }
    },

    async reconcile(key, context) {
      const { group, namespace, name } = readOwnerKey(key);
      const watched = watches.get(group);
      const informer = watched?.kind("Runnable");
      const runnable = informer?.get({ group, kind: "Runnable", namespace, name });
      if (
        runnable === undefined ||
        watched === undefined ||
        informer === undefined ||
        stamped === undefined
      )
        return { kind: "done" };
      if (runnable.metadata.deletionTimestamp !== undefined) return { kind: "done" };
      const template = watched.templateOf("ClusterRunTemplate", templateNameOf(runnable));
      const selected = await select(runnable, services, context);
      await watchRuns(template, stamped, context);
      const { status, refusals } = await perform(
        runnable.metadata.uid ?? "",
        (world, accountProblem) =>
          realizeRunnable({ runnable, template, selected, accountProblem, world }),
        { ...services.performing(context), stamped, readiness: {} },
      );
      await writeStatus(context.cluster, informer, runnable, status, context.signal);
      return tryAgain(runnable, status, refusals, context);
    },
  };
}

/** What ran before counts for the history: it must be known before anything is decided. */
async function watchRuns(
  template: KubernetesObject | undefined,
  stamped: StampedObjects,
  { log }: ReconcilerContext,
): Promise<void> {
  const apiVersion = fieldAt(template, "spec", "template", "apiVersion");
  const kind = fieldAt(template, "spec", "template", "kind");
  if (typeof apiVersion !== "string" || typeof kind !== "string") return;
  await stamped.watch({ apiVersion, kind }).catch((error: unknown) => {
    log.warn({ kind, error: (error as Error).message }, "stamped kind not watched");
  });
}

/** The one object that a Runnable's selector finds, read with the rights of its account. */
async function select(
  runnable: KubernetesObject,
  services: BlueprintServices,
  context: ReconcilerContext,
): Promise<Selected | undefined> {
  const selector = fieldAt(runnable, "spec", "selector");
  if (!isJsonObject(selector)) return undefined;
  const apiVersion = String(fieldAt(selector, "resource", "apiVersion"));
  const kind = String(fieldAt(selector, "resource", "kind"));
  const labels = fieldAt(selector, "matchingLabels");
  const labelSelector = Object.entries(isJsonObject(labels) ? labels : {})
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : ""}`)
    .join();
  const { namespace = "" } = runnable.metadata;
  const accountName = fieldAt(runnable, "spec", "serviceAccountName");
  const account: ServiceAccount = {
    namespace,
    name: typeof accountName === "string" ? accountName : "default",
  };
  try {
    const { items } = await services
      .accounts(context)
      .as(account, (cluster) => cluster.list({ apiVersion, kind }, { namespace, labelSelector }));
    const [only, ...more] = items;
    if (only === undefined)
      return { kind: "problem", message: "selector did not match any objects" };
    if (more.length > 0) return { kind: "problem", message: "selector matched multiple objects" };
    return { kind: "object", object: only };
  } catch (error) {
    if (!isApiError(error, "Forbidden", "NotFound")) throw error;
    return { kind: "problem", message: error.message };
  }
}

function templateNameOf(runnable: KubernetesObject): string {
  const name = fieldAt(runnable, "spec", "runTemplateRef", "name");
  return typeof name === "string" ? name : "";
}
