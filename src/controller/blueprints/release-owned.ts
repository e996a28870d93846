import { DiagnosticError } from "../../diagnostics/index.ts";
import { asksToStay } from "../../plan/index.ts";
import { isTerminating } from "../is-terminating.ts";
import type { OwnerRecord } from "../owner-record.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import type { Worked } from "../runtime/work-queue.ts";
import { stampedWriter, type StampedWriterOptions, troubleText } from "./stamped-writer.ts";

/**
 * Looks at an owner that is being deleted. What it owns goes with it, which is the garbage collector's to
 * do; what must not go is made nobody's first.
 */
export async function releaseOwned(
  record: OwnerRecord,
  options: StampedWriterOptions,
  { cluster, events }: Pick<ReconcilerContext, "cluster" | "events">,
): Promise<Worked> {
  if (!record.isHeld) return { kind: "done" };
  const { object: owner } = record;
  const writer = stampedWriter(owner, options);
  const staying = options.stamped
    .of(owner)
    .filter((each) => each.metadata.deletionTimestamp === undefined && asksToStay(each));
  await Promise.all(
    staying.map((object) =>
      writer.carryOut({ kind: "release", step: "", object, message: "its owner is deleted" }),
    ),
  );
  const [trouble] = writer.troubles.values();
  const { namespace = "", name = "" } = owner.metadata;
  // All that there is goes with its namespace anyway, the account among it.
  if (trouble === undefined || (await isTerminating(cluster, namespace))) {
    await record.hold(false);
    return { kind: "done" };
  }
  const message = `what must stay cannot be released: ${troubleText(trouble)}`;
  events.record(owner, { type: "Warning", reason: "NotReleased", message });
  throw new DiagnosticError([
    {
      code: "blueprints.stamping-refused",
      severity: "error",
      summary: message,
      subject: `${owner.kind} ${namespace}/${name}`,
      hint: "give the service account a Role for what its templates stamp",
    },
  ]);
}
