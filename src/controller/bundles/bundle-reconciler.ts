import { carryOut, lookAround, type OwnerLook } from "../../apply/index.ts";
import {
  type BundleAction,
  bundleApiVersion,
  bundleFinalizer,
  bundleGroup,
  bundleKinds,
  bundleLabel,
  bundleManager,
  plannedObjectsAnnotation,
  readBundle,
  realizeInvalid,
  troubleOfOutput,
} from "../../bundles/index.ts";
import { byUid, type KindView, type ViewEvent } from "../../cluster/index.ts";
import { equalValues, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { OwnedStep } from "../../plan/index.ts";
import { AccountClusters } from "../account-clusters.ts";
import { AccountRights } from "../account-rights.ts";
import { OwnedReadiness } from "../owned-readiness.ts";
import { OwnerRecord } from "../owner-record.ts";
import { OutsideWatches } from "../outside-objects.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import { KindWatches } from "../runtime/kind-watches.ts";
import type { Reconciler, ReconcilerContext } from "../runtime/reconciler.ts";
import { UsedBy } from "../runtime/used-by.ts";
import type { Worked } from "../runtime/work-queue.ts";
import { BundlePass, type BundleServices, type PluginSource, timeOf } from "./bundle-pass.ts";
import { ConfigContents } from "./config-contents.ts";
import { setOutputFinalizer } from "./output-finalizer.ts";
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
  const readiness = new OwnedReadiness({
    knowledge,
    informers,
    namespace,
    // Bindings say what the outputs of claims are called.
    depth: "masked",
    onOwned: (uid) => {
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
    readiness,
    guard: new WriteGuard(),
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
  const object = informer?.get({ group: bundleGroup, kind, namespace, name });
  if (object === undefined || informer === undefined) {
    uses.set(key, new Set());
    services.outside.set(key, []);
    return { kind: "done" };
  }
  const { cluster, signal } = context;
  const record = new OwnerRecord(object, {
    cluster,
    informer,
    signal,
    now: () => timeOf(new Date()),
    manager: bundleManager,
    finalizer: bundleFinalizer,
  });
  const { bundle, diagnostics } = readBundle(object);
  if (diagnostics.length > 0 && object.metadata.deletionTimestamp === undefined) {
    const { status } = realizeInvalid(bundle, diagnostics, timeOf(new Date()));
    if (await record.writeStatus(status)) tell(object, status, context);
    return { kind: "done" };
  }
  const pass = new BundlePass(services, bundle, context);
  const { writer } = pass;
  await pass.prepare();
  const looking = { look: () => pass.look(record.object), readMore: () => pass.readMore() };
  const report = (status: JsonObject): Promise<boolean> =>
    record.writeStatus(status, writer.takeChanges());
  let isGone = false;
  let { status } = await carryOut<OtherAction>({
    ...looking,
    writer,
    signal,
    prepare: async (looked) => {
      uses.set(key, pass.uses);
      isGone = !(await writeDown(looked, record, report));
      return !isGone;
    },
    act: async (action) => {
      if (action.kind !== "hold-output" && action.kind !== "release-output") return;
      const { output } = action;
      const isHeld = action.kind === "hold-output";
      await writer.attempt(troubleOfOutput(output.name), undefined, (onRetry) =>
        setOutputFinalizer(isHeld, output, bundle, pass, services, onRetry),
      );
    },
    report: async (early) => {
      await report(early);
    },
  });
  if (isGone) {
    services.outside.set(key, []);
    services.guard.forget(`${object.metadata.uid ?? ""}/`);
    return { kind: "done" };
  }
  services.outside.set(key, pass.outsideObjects);
  const looked = await pass.lookAtWorkloads();
  if (looked.hasRead) ({ status } = await lookAround(looking));
  if (await report(status)) tell(record.object, status, context);
  const retried = [...writer.troubles.values()].find(({ isRetried }) => isRetried);
  if (retried !== undefined) throw new Error(retried.message);
  const afterMs = looked.afterMs ?? pass.againMs;
  return afterMs === undefined ? { kind: "done" } : { kind: "again", afterMs };
}

type OtherAction = Exclude<BundleAction, OwnedStep>;

/** What must stand in a bundle before its steps; false when there is no bundle any more. */
async function writeDown(
  { actions, status }: OwnerLook<OtherAction>,
  record: OwnerRecord,
  report: (status: JsonObject) => Promise<boolean>,
): Promise<boolean> {
  if (actions.some((action) => action.kind === "let-go")) {
    await record.hold(false);
    return false;
  }
  for (const action of actions) {
    if (action.kind !== "finalize") continue;
    if (!(await record.hold(true, { [plannedObjectsAnnotation]: action.planned }))) return false;
  }
  if (actions.some((action) => action.kind === "record")) await report(status);
  return true;
}

/** What changed for people stands in Events too. */
function tell(object: KubernetesObject, status: JsonObject, { events }: ReconcilerContext): void {
  for (const condition of status["conditions"] as readonly Readonly<Record<string, string>>[]) {
    const { type, reason = "", message = "" } = condition;
    if (condition["status"] !== "True") continue;
    if (type === "Ready") events.record(object, { type: "Normal", reason: "Ready", message });
    if (type === "Error") events.record(object, { type: "Warning", reason, message });
  }
}
