import {
  accountOf,
  type BlueprintGroup,
  realizeRunnable,
  runnableLabel,
  type Selected,
  type ServiceAccount,
} from "../../blueprints/index.ts";
import { isApiError, type ObjectKind } from "../../cluster/index.ts";
import { fieldAt, isJsonObject } from "../../json/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import type { OutsideWatches } from "../outside-objects.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import type { BlueprintServices } from "./blueprint-services.ts";
import type { BlueprintWatches } from "./blueprint-watches.ts";
import { isNewRequest, keyOfObject, ownerKey, readOwnerKey } from "./owner-key.ts";
import { perform } from "./perform.ts";
import { releaseOwned } from "./release-owned.ts";
import { StampedObjects } from "./stamped-objects.ts";
import { tryAgain } from "./try-again.ts";

/** Looks after Runnables, of both groups. */
export function runnableReconciler(services: BlueprintServices): Reconciler {
  let watches = new Map<BlueprintGroup, BlueprintWatches>();
  let stamped: StampedObjects | undefined;
  let outside: OutsideWatches | undefined;
  let knowledge: ClusterKnowledge | undefined;
  return {
    name: "runnables",

    async start(context) {
      const { queue, informers } = context;
      watches = await services.watches(context);
      outside = services.outside(context);
      knowledge = await ClusterKnowledge.open(context.cluster, informers);
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
          if (kind === "deleted") {
            stamped?.forget(object.metadata.uid ?? "");
            outside?.set(keyOfObject(object), []);
          } else if (isNewRequest(object, previous)) queue.add(keyOfObject(object));
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
      const performing = services.performing(context);
      const record = services.record(runnable, informer, context);
      const template = watched.templateOf("ClusterRunTemplate", templateNameOf(runnable));
      await watchRuns(template, stamped, context);
      const account = accountOf({ owner: runnable, blueprints: [] });
      const writing = { ...performing, account, blueprints: [], stamped };
      if (runnable.metadata.deletionTimestamp !== undefined)
        return releaseOwned(record, writing, context);
      const selection = selectionOf(runnable);
      const found =
        selection === undefined ? undefined : await select(selection, services, context);
      const awaited = services.awaited(context, knowledge?.rulesOf);
      const selected = found?.selected;
      const { status, refusals, changes } = await perform(
        record,
        (world, accountProblem) =>
          realizeRunnable({ runnable, template, selected, accountProblem, world }),
        { ...writing, readiness: {}, awaited, secrets: found?.seen ?? [] },
      );
      const wanted =
        selection === undefined
          ? []
          : [{ ...selection, which: selection.text, seen: found?.seen ?? [] }];
      outside?.set(key, [...wanted, ...awaited.watched]);
      await record.writeStatus(status, changes);
      const refused = found?.refusal === undefined ? refusals : [...refusals, found.refusal];
      return tryAgain(runnable, status, refused, awaited.againMs, context);
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

/** What a Runnable selects, and as whom it looks. */
interface Selection extends ObjectKind {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly account: ServiceAccount;
  readonly text: string;
  readonly concerns: (object: KubernetesObject) => boolean;
}

function selectionOf(runnable: KubernetesObject): Selection | undefined {
  const selector = fieldAt(runnable, "spec", "selector");
  if (!isJsonObject(selector)) return undefined;
  const { namespace = "" } = runnable.metadata;
  const found = fieldAt(selector, "matchingLabels");
  const labels = Object.entries(isJsonObject(found) ? found : {}).map(
    ([key, value]) => [key, typeof value === "string" ? value : ""] as const,
  );
  const accountName = fieldAt(runnable, "spec", "serviceAccountName");
  const labelSelector = labels.map(([key, value]) => `${key}=${value}`).join();
  return {
    apiVersion: String(fieldAt(selector, "resource", "apiVersion")),
    kind: String(fieldAt(selector, "resource", "kind")),
    namespace,
    labelSelector,
    account: { namespace, name: typeof accountName === "string" ? accountName : "default" },
    text: `${namespace} ${labelSelector}`,
    concerns: ({ metadata }) =>
      metadata.namespace === namespace &&
      labels.every(([key, value]) => metadata.labels?.[key] === value),
  };
}

interface Found {
  readonly selected: Selected;
  readonly seen: readonly KubernetesObject[];
  /** What the server said no to: worth another try. */
  readonly refusal?: string;
}

/** The one object that a Runnable's selector finds, read with the rights of its account. */
async function select(
  { apiVersion, kind, namespace, labelSelector, account }: Selection,
  services: BlueprintServices,
  context: ReconcilerContext,
): Promise<Found> {
  const problem = (message: string): Selected => ({ kind: "problem", message });
  try {
    const { items: seen } = await services
      .accounts(context)
      .as(account, (cluster) => cluster.list({ apiVersion, kind }, { namespace, labelSelector }));
    const [only, ...more] = seen;
    if (only === undefined)
      return { selected: problem("selector did not match any objects"), seen };
    if (more.length > 0) return { selected: problem("selector matched multiple objects"), seen };
    return { selected: { kind: "object", object: only }, seen };
  } catch (error) {
    if (!isApiError(error, "Forbidden", "NotFound")) throw error;
    return { selected: problem(error.message), seen: [], refusal: error.message };
  }
}

function templateNameOf(runnable: KubernetesObject): string {
  const name = fieldAt(runnable, "spec", "runTemplateRef", "name");
  return typeof name === "string" ? name : "";
}
