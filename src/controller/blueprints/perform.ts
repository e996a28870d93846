import { carryOut, type OwnedWriter, type OwnerLook } from "../../apply/index.ts";
import type { Action, HealthContext, Rendered, World } from "../../blueprints/index.ts";
import type { ResourceIndex } from "../../cluster/index.ts";
import type { HistoryObject } from "../../inventory/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { asksToStay } from "../../plan/index.ts";
import type { AwaitedObjects } from "../awaited-objects.ts";
import type { AccountReads } from "../account-reads.ts";
import type { OwnerRecord } from "../owner-record.ts";
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
  const { status } = await carryOut<Render>({
    writer,
    signal,
    look: () =>
      realize(
        {
          ...options.readiness,
          live: live(),
          accepted: stamped.accepted,
          refusals: refusalsOf(writer),
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
      const hasRead = await awaited.read((reference) =>
        accounts.as(account, (cluster) => cluster.find(reference)),
      );
      return (await reads?.read()) === true || hasRead;
    },
    prepare: async ({ actions }) => {
      const desired = actions.flatMap((each) => (each.kind === "apply" ? each.object : []));
      const mustHold = [...live(), ...desired].some(asksToStay);
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
  const refusals = [...writer.troubles.values()].map(troubleText);
  return { status, refusals, changes: writer.takeChanges() };
}

/** What went wrong with writes. */
function writtenTroubles({ troubles }: OwnedWriter) {
  return [...troubles].filter(([, { kind }]) => kind === "apply");
}

/** What the server said no to, by step. */
function refusalsOf(writer: OwnedWriter): ReadonlyMap<string, string> {
  return new Map(
    writtenTroubles(writer)
      .filter(([, trouble]) => accountProblemOf(trouble) === undefined)
      .map(([step, { message, isUnderWay }]) => [
        step,
        isUnderWay === true ? `${message} (it is tried again)` : message,
      ]),
  );
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
