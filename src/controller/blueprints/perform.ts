import {
  type Action,
  asksToStay,
  type HealthContext,
  type Rendered,
  type ServiceAccount,
  type World,
} from "../../blueprints/index.ts";
import type { ResourceIndex } from "../../cluster/index.ts";
import type { HistoryObject } from "../../inventory/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { type KubernetesObject, maskTexts, secretValues } from "../../objects/index.ts";
import type { AwaitedObjects } from "../awaited-objects.ts";
import type { AccountClusters } from "../account-clusters.ts";
import type { AccountReads } from "../account-reads.ts";
import type { OwnerHold } from "./owner-record.ts";
import type { Renderings } from "./renderings.ts";
import type { RenderYtt } from "./run-ytt.ts";
import type { StampedObjects } from "./stamped-objects.ts";
import { type AccountProblem, type Refused, StampedWriter } from "./stamped-writer.ts";

export interface PerformOptions {
  readonly stamped: StampedObjects;
  readonly accounts: AccountClusters;
  /** All that may serve the owner. */
  readonly blueprints: readonly KubernetesObject[];
  readonly renderYtt: RenderYtt;
  /** What ytt gave before, for the same template and the same values. */
  readonly renderings: Renderings;
  readonly resources: () => Promise<ResourceIndex>;
  readonly signal: AbortSignal;
  readonly now: () => string;
  /** What definitions say of when their instances are ready, and what belongs to these. */
  readonly readiness: Pick<HealthContext, "childrenOf" | "rulesOf">;
  /** What stamped objects depend on that is not of their owner. */
  readonly awaited: AwaitedObjects;
  /** Keeps the owner until what must not go with it has been released. */
  readonly hold: OwnerHold;
  /** What the account of the owner may read; without it nothing that is asked is forbidden. */
  readonly reads?: AccountReads | undefined;
  /** Secrets that what is stamped may take values from, beside those that were stamped. */
  readonly secrets?: readonly KubernetesObject[] | undefined;
  /** Writes a status of which more is to come. */
  readonly report: (status: JsonObject) => Promise<void>;
}

/** What is asked again and again until nothing is left to do. */
export interface Asked {
  readonly actions: readonly Action[];
  readonly status: JsonObject;
  readonly account: ServiceAccount | undefined;
}

export interface Performed {
  readonly status: JsonObject;
  /** What the server said no to: worth another try when something has changed, or after a while. */
  readonly refusals: readonly string[];
  /** What was done, for the history. */
  readonly changes: readonly HistoryObject[];
}

/** Every round brings a step further; a chain has at most thirty. */
const mostRounds = 200;

/** Looks, acts, and looks again with what came of it, until nothing is left to do. */
export async function perform(
  owner: KubernetesObject,
  ask: (world: World, accountProblem: AccountProblem | undefined) => Asked,
  options: PerformOptions,
): Promise<Performed> {
  const { stamped, accounts, blueprints, signal, hold, awaited, secrets = [] } = options;
  const writer = new StampedWriter({ owner, blueprints, stamped, accounts, signal });
  /** What the server says of a write quotes it: values of Secrets are not repeated. */
  const hide = (text: string): string =>
    maskTexts(text, secretValues([...stamped.of(owner), ...secrets]));
  const refusals = new Map<string, string>();
  const notRemoved = new Map<string, string>();
  const rendered = new Map<string, Rendered>();
  const render = async ({
    key,
    text,
    context,
  }: Extract<Action, { kind: "render" }>): Promise<void> => {
    const known = options.renderings.get(key) ?? (await options.renderYtt(text, context));
    rendered.set(key, known);
    options.renderings.keep(key, known);
  };
  const index = await options.resources();
  const now = options.now();
  let accountProblem: AccountProblem | undefined;
  const look = (): Asked & { readonly live: readonly KubernetesObject[] } => {
    const live = stamped.of(owner).filter(({ metadata }) => !writer.gone.has(metadata.uid ?? ""));
    const world: World = {
      ...options.readiness,
      live,
      accepted: stamped.accepted,
      refusals,
      rendered,
      outside: awaited.stateOf,
      unreadable: options.reads?.unreadable,
      scopeOf: (apiVersion, kind) => scopeOf(index, apiVersion, kind),
      resourceOf: (apiVersion, kind) => resourceOf(index, apiVersion, kind),
      now,
    };
    return { ...ask(world, accountProblem), live };
  };
  /** Looks with all that must be known of objects of others, which the owner's account reads. */
  const lookAround = async (): Promise<ReturnType<typeof look>> => {
    for (;;) {
      const looked = look();
      const { account } = looked;
      const hasRead = await awaited.read((reference) =>
        account === undefined
          ? Promise.resolve(undefined)
          : accounts.as(account, (cluster) => cluster.find(reference)),
      );
      const hasAsked = (await options.reads?.read()) === true;
      if (!hasRead && !hasAsked) return looked;
    }
  };
  let reported = Promise.resolve();
  /** What holds a step up for long is told before the step ends. */
  const onRetry =
    (step: string) =>
    (message: string): void => {
      refusals.set(step, `${hide(message)} (it is tried again)`);
      reported = reported.then(() => options.report(look().status));
      // Whoever waits for the step hears of it, too.
      reported.catch(() => undefined);
    };
  const act = async (action: Action, account: ServiceAccount | undefined): Promise<void> => {
    switch (action.kind) {
      case "render":
        await render(action);
        return;
      case "delete":
      case "release": {
        const refused = await writer.remove(action.object, account, action.kind);
        if (refused !== undefined) notRemoved.set(keyOf(action), hide(textOf(refused)));
        return;
      }
      case "apply": {
        const refused = await writer.write(action, account, onRetry(action.step));
        if (refused?.kind === "account") accountProblem ??= refused.problem;
        if (refused?.kind === "refused") refusals.set(action.step, hide(refused.message));
        else refusals.delete(action.step);
      }
    }
  };
  for (let round = 0; round < mostRounds; round++) {
    signal.throwIfAborted();
    const { actions, status, account, live } = await lookAround();
    const open = actions.filter((action) => !notRemoved.has(keyOf(action)));
    const isOver = open.length === 0 || accountProblem !== undefined;
    const stays = [...live, ...open.flatMap((each) => (each.kind === "apply" ? each.object : []))];
    const mustHold = stays.some(asksToStay);
    // Held before the first object is there that must not go with its owner.
    if (mustHold ? !hold.isHeld() : isOver && hold.isHeld()) await hold.set(mustHold);
    if (isOver) {
      const { changes } = writer;
      return { status, refusals: [...refusals.values(), ...notRemoved.values()], changes };
    }
    try {
      await Promise.all(open.map((action) => act(action, account)));
    } finally {
      await reported;
    }
  }
  throw new Error(`there was no end to what is to be done for ${owner.metadata.uid ?? ""}`);
}

/** Makes nobody's what must not go with its owner, and lets the owner go; else says what stands in the way. */
export async function letGo(
  owner: KubernetesObject,
  {
    stamped,
    accounts,
    blueprints,
    signal,
    hold,
    isNamespaceGoing,
  }: Pick<PerformOptions, "accounts" | "blueprints" | "hold" | "signal" | "stamped"> & {
    /** Whether all that there is goes with its namespace anyway, the account among it. */
    readonly isNamespaceGoing: () => Promise<boolean>;
  },
): Promise<readonly string[]> {
  const writer = new StampedWriter({ owner, blueprints, stamped, accounts, signal });
  const refusals = await Promise.all(
    stamped
      .of(owner)
      .filter((object) => object.metadata.deletionTimestamp === undefined && asksToStay(object))
      .map((object) => writer.remove(object, undefined, "release")),
  );
  const problems = refusals.flatMap((refused) => (refused === undefined ? [] : [textOf(refused)]));
  const isOver = problems.length === 0 || (await isNamespaceGoing());
  if (isOver) await hold.set(false);
  return isOver ? [] : problems;
}

function textOf(refused: Refused): string {
  return refused.kind === "account" ? refused.problem.message : refused.message;
}

function keyOf(action: Action): string {
  return action.kind === "delete" || action.kind === "release"
    ? (action.object.metadata.uid ?? "")
    : "";
}

function scopeOf(index: ResourceIndex, apiVersion: string, kind: string) {
  const resource = index.find({ apiVersion, kind });
  if (resource === undefined) return undefined;
  return resource.namespaced ? "namespaced" : "cluster";
}

function resourceOf(index: ResourceIndex, apiVersion: string, kind: string): string | undefined {
  const resource = index.find({ apiVersion, kind });
  if (resource === undefined) return undefined;
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}
