import { DiagnosticError } from "../../diagnostics/index.ts";
import { isTerminating } from "../is-terminating.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import type { Worked } from "../runtime/work-queue.ts";
import type { OwnerRecord } from "./owner-record.ts";
import { letGo, type PerformOptions } from "./perform.ts";
import type { StampedObjects } from "./stamped-objects.ts";

/**
 * Looks at an owner that is being deleted. What it owns goes with it, which is the garbage collector's to
 * do; what must not go is made nobody's first.
 */
export async function releaseOwned(
  record: OwnerRecord,
  stamped: StampedObjects,
  { accounts, blueprints, signal }: Pick<PerformOptions, "accounts" | "blueprints" | "signal">,
  { cluster, events }: Pick<ReconcilerContext, "cluster" | "events">,
): Promise<Worked> {
  if (!record.hold.isHeld()) return { kind: "done" };
  const { object, hold } = record;
  const isNamespaceGoing = (): Promise<boolean> =>
    isTerminating(cluster, object.metadata.namespace ?? "");
  const releasing = { stamped, accounts, blueprints, signal, hold, isNamespaceGoing };
  const [problem] = await letGo(object, releasing);
  if (problem === undefined) return { kind: "done" };
  const message = `what must stay cannot be released: ${problem}`;
  events.record(object, { type: "Warning", reason: "NotReleased", message });
  throw new DiagnosticError([
    {
      code: "blueprints.stamping-refused",
      severity: "error",
      summary: message,
      subject: `${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`,
      hint: "give the service account a Role for what its templates stamp",
    },
  ]);
}
