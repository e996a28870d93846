import type { JsonObject } from "../json/index.ts";
import { type OwnedStep, troubleKey } from "../plan/index.ts";
import type { OwnedWriter } from "./owned-writer.ts";

/** What is to be done for an owner now, and how it is. */
export interface OwnerLook<Other extends { readonly kind: string }> {
  /** Steps with its objects, and others that only its source knows. */
  readonly actions: readonly (OwnedStep | Other)[];
  readonly status: JsonObject;
}

export interface CarryOutOptions<Other extends { readonly kind: string }> {
  readonly writer: OwnedWriter;
  /** Compiles the owner and what is known around it. */
  readonly look: () => OwnerLook<Other>;
  /** Reads what the last look lacked; says whether there was anything. */
  readonly readMore: () => Promise<boolean>;
  /** Writes down on the owner what must stand there before the steps; false ends it here. */
  readonly prepare: (looked: OwnerLook<Other>) => Promise<boolean>;
  /** Does what is no step with an object of the owner. */
  readonly act: (action: Other) => Promise<void>;
  /** Tells how an owner is of which more is to come. */
  readonly report: (status: JsonObject) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Every round brings an owner further; more than any needs, so that a defect cannot loop. */
const mostRounds = 3_000;

/**
 * The step-wise run of one owner in a cluster: looks, does what can be done now, and looks again with what
 * came of it, until nothing is left to do. Comes to the last look.
 */
export async function carryOut<Other extends { readonly kind: string }>(
  options: CarryOutOptions<Other>,
): Promise<OwnerLook<Other>> {
  const { writer, prepare, act, report, signal } = options;
  for (let round = 0; round < mostRounds; round++) {
    signal.throwIfAborted();
    const { actions, status } = await lookAround(options);
    // What was refused is not tried again before the owner is looked at the next time.
    const open = actions.filter(
      (action) => !isOwned(action) || !writer.troubles.has(troubleKey(action)),
    );
    const looked = { actions: open, status };
    if (!(await prepare(looked)) || open.length === 0) return looked;
    await writer.reporting(
      Promise.all(open.map((each) => (isOwned(each) ? writer.carryOut(each) : act(each)))),
      async () => report((await lookAround(options)).status),
    );
  }
  throw new Error("there was no end to what is to be done for an owner");
}

/** Looks again until nothing more must be known. */
export async function lookAround<Other extends { readonly kind: string }>({
  look,
  readMore,
}: Pick<CarryOutOptions<Other>, "look" | "readMore">): Promise<OwnerLook<Other>> {
  for (;;) {
    const looked = look();
    if (!(await readMore())) return looked;
  }
}

function isOwned(action: { readonly kind: string }): action is OwnedStep {
  return action.kind === "apply" || action.kind === "delete" || action.kind === "release";
}
