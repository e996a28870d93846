import {
  type Bundle,
  bundleApiVersion,
  bundleGroup,
  bundleKinds,
  bundleLabel,
  readBundle,
  realizeInvalid,
  type Realized,
} from "../../bundles/index.ts";
import { byOwner, byUid, type KindView, type ViewEvent } from "../../cluster/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { equalValues, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { AccountClusters } from "../account-clusters.ts";
import { AccountRights } from "../account-rights.ts";
import { WorkloadChildren } from "../workload-children.ts";
import { OutsideWatches } from "../outside-objects.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import { KindWatches } from "../runtime/kind-watches.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import { UsedBy } from "../runtime/used-by.ts";
import type { Worked } from "../runtime/work-queue.ts";
import { BundlePass, type BundleServices, type PluginSource, timeOf } from "./bundle-pass.ts";
import { carryOut, finalize, writeBundleStatus } from "./carry-out.ts";
import { ConfigContents } from "./config-contents.ts";
import { WriteGuard } from "./write-guard.ts";

export interface BundleReconcilerOptions {
  /** All namespaces unless given. */
  readonly namespace?: string | undefined;
  /** Where plugins are found; without it there are none. */
  readonly plugins?: PluginSource | undefined;
  /** How often everything is looked at again, in case something was missed. */
  readonly resyncMs?: number | undefined;
}

const noPlugins: PluginSource = { get: () => undefined, load: () => Promise.resolve([]) };
const usualResyncMs = 600_000;
/** Steps for one bundle in one go; more than any bundle needs, so that a defect cannot loop. */
const mostRounds = 3_000;

/** Brings bundles to what they say. */
export function bundleReconciler(options: BundleReconcilerOptions = {}): Reconciler {
  const bundles = new Map<string, KindView>();
  const uses = new UsedBy();
  let services: BundleServices | undefined;
  return {
    name: "bundles",
    start: async (context) => {
      services = await start(context, options, bundles, uses);
    },
    reconcile: async (key, context) => {
      if (services === undefined) return { kind: "done" };
      return reconcile(key, context, services, bundles, uses);
    },
  };
}

async function start(
  context: ReconcilerContext,
  { namespace, plugins = noPlugins, resyncMs = usualResyncMs }: BundleReconcilerOptions,
  bundles: Map<string, KindView>,
  uses: UsedBy,
): Promise<BundleServices> {
  const { cluster, informers, queue, signal } = context;
  const knowledge = await ClusterKnowledge.open(cluster, informers);
  const addOwner = (object: KubernetesObject): void => {
    for (const owner of object.metadata.ownerReferences ?? [])
      if (owner.controller === true && owner.apiVersion === bundleApiVersion)
        queue.add(keyOfBundle(owner.kind, object.metadata.namespace ?? "", owner.name));
  };
  const children = new KindWatches(informers, {
    namespace,
    labelSelector: bundleLabel,
    // Managed fields are needed to see what an apply would change.
    depth: "full",
    onChange: ({ object }) => {
      addOwner(object);
    },
  });
  const owned = new KindWatches(informers, {
    namespace,
    depth: "masked",
    onChange: ({ object }) => {
      for (const uid of byOwner(object))
        for (const claim of children.indexed(byUid, uid)) addOwner(claim);
    },
  });
  let contents: Promise<ConfigContents> | undefined;
  const openContents = async (): Promise<ConfigContents> => {
    const opened = new ConfigContents(informers, namespace, (kind, { metadata }) => {
      const use = `${kind} ${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
      for (const user of uses.usersOf(use)) queue.add(user);
    });
    await opened.synced();
    return opened;
  };
  const addAll = (): void => {
    for (const informer of bundles.values())
      for (const bundle of informer.objects()) queue.add(keyOf(bundle));
  };
  for (const kind of bundleKinds) {
    const informer = informers.use({ apiVersion: bundleApiVersion, kind }, { namespace });
    bundles.set(kind, informer);
    informer.subscribe((event) => {
      if (!isNews(event)) return;
      queue.forgive(keyOf(event.object));
      queue.add(keyOf(event.object));
    });
  }
  await Promise.all([...bundles.values()].map((informer) => informer.synced));
  addAll();
  knowledge.onChange(addAll);
  const resync = setInterval(addAll, resyncMs);
  resync.unref();
  signal.addEventListener("abort", () => {
    clearInterval(resync);
  });
  const accounts = new AccountClusters(cluster);
  signal.addEventListener("abort", () => {
    void accounts.close();
  });
  return {
    cluster,
    accounts,
    rights: new AccountRights(accounts),
    namespace,
    knowledge,
    children,
    owned,
    guard: new WriteGuard(),
    workloads: new WorkloadChildren(),
    plugins,
    contents: () => (contents ??= openContents()),
    outside: new OutsideWatches(informers, namespace, (key) => {
      queue.forgive(key);
      queue.add(key);
    }),
    replacing: new Set(),
  };
}

/** Our own writes of statuses are no reason to look again. */
function isNews({ kind, object, previous }: ViewEvent): boolean {
  if (kind !== "updated" || previous === undefined) return true;
  return !equalValues(withoutStatus(previous), withoutStatus(object));
}

function withoutStatus({ metadata, ...rest }: KubernetesObject): JsonValue {
  const { resourceVersion: _version, managedFields: _fields, ...kept } = metadata;
  return { ...rest, status: null, metadata: kept } as unknown as JsonValue;
}

function keyOfBundle(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

function keyOf({ kind, metadata }: KubernetesObject): string {
  return keyOfBundle(kind, metadata.namespace ?? "", metadata.name ?? "");
}

async function reconcile(
  key: string,
  context: ReconcilerContext,
  services: BundleServices,
  bundles: ReadonlyMap<string, KindView>,
  uses: UsedBy,
): Promise<Worked> {
  const [kind = "", namespace = "", name = ""] = key.split("/");
  const informer = bundles.get(kind);
  const read = (): KubernetesObject | undefined =>
    informer?.get({ group: bundleGroup, kind, namespace, name });
  const object = read();
  if (object === undefined || informer === undefined) {
    uses.set(key, new Set());
    services.outside.set(key, []);
    return { kind: "done" };
  }
  const first = readBundle(object);
  if (first.diagnostics.length > 0 && object.metadata.deletionTimestamp === undefined) {
    await reportInvalid(first.bundle, first.diagnostics, context, informer);
    return { kind: "done" };
  }
  const pass = new BundlePass(services, first.bundle);
  await pass.prepare();
  let bundle = first.bundle;
  let realized: Realized | undefined;
  for (let round = 0; round < mostRounds && !context.signal.aborted; round++) {
    realized = await pass.realize(bundle, new Date());
    const { actions, status } = realized;
    if (actions.length === 0) break;
    const remember = (answer: KubernetesObject): void => {
      informer.remember(answer);
      bundle = { ...bundle, object: answer };
    };
    if (actions.some((action) => action.kind === "let-go")) {
      await finalize(services.cluster, bundle);
      services.outside.set(key, []);
      services.guard.forget(`${object.metadata.uid ?? ""}/`);
      return { kind: "done" };
    }
    const finalizing = actions.find((action) => action.kind === "finalize");
    if (finalizing !== undefined) {
      const answer = await finalize(services.cluster, bundle, finalizing.planned);
      if (answer === undefined) return { kind: "done" };
      remember(answer);
    }
    if (actions.some((action) => action.kind === "record")) {
      remember(await writeBundleStatus(services.cluster, bundle, status));
      pass.notes.wroteStatus();
    }
    await pass.notes.reporting(
      Promise.all(actions.map((action) => carryOut(action, bundle, pass, services))),
      async () => {
        const hindered = await pass.realize(bundle, new Date());
        if (!hindered.isNews) return;
        remember(await writeBundleStatus(services.cluster, bundle, hindered.status));
        pass.notes.wroteStatus();
      },
    );
    for (const action of actions)
      if (action.kind === "detach")
        context.events.record(bundle.object, {
          type: "Normal",
          reason: "Released",
          message: `${action.object.kind} ${action.object.name} stays and is nobody's now: ${action.message}`,
        });
    uses.set(key, pass.uses);
  }
  uses.set(key, pass.uses);
  services.outside.set(key, pass.outsideObjects);
  const looked = await pass.lookAtWorkloads(new Date());
  if (looked.hasRead) realized = await pass.realize(bundle, new Date());
  if (realized?.isNews === true && !context.signal.aborted) {
    informer.remember(await writeBundleStatus(services.cluster, bundle, realized.status));
    tell(bundle, realized, context);
  }
  const retried = pass.notes.troubles.find(({ isRetried }) => isRetried);
  if (retried !== undefined) throw new Error(retried.message);
  const afterMs = looked.afterMs ?? pass.againMs;
  return afterMs === undefined ? { kind: "done" } : { kind: "again", afterMs };
}

/** What changed for people stands in Events too. */
function tell({ object }: Bundle, { status }: Realized, { events }: ReconcilerContext): void {
  for (const condition of status["conditions"] as readonly Readonly<Record<string, string>>[]) {
    const { type, reason = "", message = "" } = condition;
    if (condition["status"] !== "True") continue;
    if (type === "Ready") events.record(object, { type: "Normal", reason: "Ready", message });
    if (type === "Error") events.record(object, { type: "Warning", reason, message });
  }
}

async function reportInvalid(
  bundle: Bundle,
  diagnostics: readonly Diagnostic[],
  context: ReconcilerContext,
  informer: KindView,
): Promise<void> {
  const realized = realizeInvalid(bundle, diagnostics, timeOf(new Date()));
  if (!realized.isNews) return;
  informer.remember(await writeBundleStatus(context.cluster, bundle, realized.status));
  tell(bundle, realized, context);
}
