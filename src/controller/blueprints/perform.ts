import { carryOut, type OwnedWriter, type OwnerLook } from "../../apply/index.ts";
import {
  type Action,
  type HealthContext,
  type Rendered,
  speaksCartographer,
  type World,
} from "../../blueprints/index.ts";
import type { ObjectReference, ResourceIndex } from "../../cluster/index.ts";
import type { HistoryObject } from "../../inventory/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { asksToStay, type StepTrouble } from "../../plan/index.ts";
import type { AwaitedObjects } from "../awaited-objects.ts";
import type { AccountReads } from "../account-reads.ts";
import type { OwnerRecord } from "../owner-record.ts";
import { CartographerRefusals } from "./cartographer-refusals.ts";
import type { Renderings } from "./renderings.ts";
import type { RenderYtt } from "./run-ytt.ts";
import {
  type AccountProblem,
  accountProblemOf,
  stampedWriter,
  type StampedWriterOptions,
  troubleText,
} from "./stamped-writer.ts";

export interface PerformOptions extends StampedWriterOptions {
  readonly renderYtt: RenderYtt;
  /** What ytt gave before, for the same template and the same values. */
  readonly renderings: Renderings;
  readonly resources: () => Promise<ResourceIndex>;
  readonly now: () => string;
  /** What definitions say of when their instances are ready, and what belongs to these. */
  readonly readiness: Pick<HealthContext, "childrenOf" | "rulesOf">;
  /** What stamped objects depend on that is not of their owner. */
  readonly awaited: AwaitedObjects;
  /** What the account of the owner may read; without it nothing that is asked is forbidden. */
  readonly reads?: AccountReads | undefined;
}

export interface Performed {
  readonly status: JsonObject;
  /** What the server said no to: worth another try when something has changed, or after a while. */
  readonly refusals: readonly string[];
  /** What was done, for the history. */
  readonly changes: readonly HistoryObject[];
}

type Render = Extract<Action, { kind: "render" }>;

/** Carries out what a blueprint makes of its owner, step by step. */
export async function perform(
  record: OwnerRecord,
  realize: (world: World, accountProblem: AccountProblem | undefined) => OwnerLook<Render>,
  options: PerformOptions,
): Promise<Performed> {
  const { account, accounts, awaited, reads, renderings, signal, stamped } = options;
  const owner = record.object;
  const writer = stampedWriter(owner, options);
  const rendered = new Map<string, Rendered>();
  const index = await options.resources();
  const now = options.now();
  const live = (): World["live"] => stamped.of(owner).flatMap((each) => writer.present(each) ?? []);
  const refusals = new CartographerRefusals();
  const wordsOf = (trouble: StepTrouble): string | undefined => {
    const words = speaksCartographer(owner) ? refusals.wordsOf(trouble, live()) : undefined;
    return words === undefined ? undefined : writer.masked(words);
  };
  const desired = new Map<string, KubernetesObject>();
  const { status } = await carryOut<Render>({
    writer,
    signal,
    look: () =>
      realize(
        {
          ...options.readiness,
          live: live(),
          accepted: stamped.accepted,
          refusals: refusalsOf(writer, wordsOf),
          rendered,
          outside: awaited.stateOf,
          unreadable: reads?.unreadable,
          scopeOf: (apiVersion, kind) => scopeOf(index, apiVersion, kind),
          resourceOf: (apiVersion, kind) => resourceOf(index, apiVersion, kind),
          now,
        },
        writtenTroubles(writer).flatMap(([, trouble]) => accountProblemOf(trouble) ?? [])[0],
      ),
    // What must be known of objects of others the owner's account reads.
    readMore: async () => {
      const find = (reference: ObjectReference): Promise<KubernetesObject | undefined> =>
        accounts.as(account, (cluster) => cluster.find(reference));
      const hasRead = await awaited.read(find);
      const hasAsked = speaksCartographer(owner)
        ? await refusals.ask(writtenTroubles(writer), (step) => desired.get(step), find)
        : false;
      return (await reads?.read()) === true || hasRead || hasAsked;
    },
    prepare: async ({ actions }) => {
      const applied = actions.filter((each) => each.kind === "apply");
      for (const { step, object } of applied) desired.set(step, object);
      const mustHold = [...live(), ...applied.map(({ object }) => object)].some(asksToStay);
      // Held before the first object is there that must not go with its owner.
      const isRight = mustHold ? record.isHeld : actions.length > 0 || !record.isHeld;
      return isRight || record.hold(mustHold);
    },
    act: async ({ key, text, context }) => {
      const known = renderings.get(key) ?? (await options.renderYtt(text, context));
      rendered.set(key, known);
      renderings.keep(key, known);
    },
    report: async (early) => {
      await record.writeStatus(early, writer.takeChanges());
    },
  });
  const refused = [...writer.troubles.values()].map(troubleText);
  return { status, refusals: refused, changes: writer.takeChanges() };
}

/** What went wrong with writes. */
function writtenTroubles({ troubles }: OwnedWriter) {
  return [...troubles].filter(([, { kind }]) => kind === "apply");
}

/** What the server said no to, by step. */
function refusalsOf(
  writer: OwnedWriter,
  wordsOf: (trouble: StepTrouble) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    writtenTroubles(writer)
      .filter(([, trouble]) => accountProblemOf(trouble) === undefined)
      .map(([step, trouble]) => [step, wordsOf(trouble) ?? ownWords(trouble)]),
  );
}

function ownWords({ message, isUnderWay }: StepTrouble): string {
  return isUnderWay === true ? `${message} (it is tried again)` : message;
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
