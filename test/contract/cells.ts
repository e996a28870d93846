import type { Behaviour, ShownBy } from "./behaviour.ts";
import { type KnownFailure, knownFailures } from "./known-failures.ts";
import { behaviours } from "./table.ts";
import { type ServerName, type Way, ways } from "./way-in.ts";

/** What becomes of one behaviour for one way in, on one server. */
export type CellKind =
  | { readonly kind: "holds" }
  | { readonly kind: "fails"; readonly known: KnownFailure }
  | { readonly kind: "cannot apply"; readonly reason: string }
  | { readonly kind: "shown elsewhere"; readonly shownBy: ShownBy };

export interface TableCell {
  readonly way: Way;
  readonly behaviour: Behaviour;
  readonly is: CellKind;
}

/** Every cell of the table. */
export function cellsOn(server: ServerName): readonly TableCell[] {
  return ways.flatMap((way) =>
    behaviours.map((behaviour) => ({ way, behaviour, is: kindOf(behaviour, way, server) })),
  );
}

function kindOf(
  { name, notFor, notOn, shownBy }: Behaviour,
  way: Way,
  server: ServerName,
): CellKind {
  const reason = notFor?.[way] ?? notOn?.[server];
  if (reason !== undefined) return { kind: "cannot apply", reason };
  const elsewhere = shownBy?.[way];
  if (elsewhere !== undefined) return { kind: "shown elsewhere", shownBy: elsewhere };
  const known = knownFailures[`${way} / ${name}`];
  return known === undefined ? { kind: "holds" } : { kind: "fails", known };
}
