import { DiagnosticError } from "../../diagnostics/index.ts";
import { fieldAt, objectsIn } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import type { Worked } from "../runtime/work-queue.ts";

/** What the server said no to may be allowed later, which nobody tells us of: it is tried again. */
export function tryAgain(
  owner: KubernetesObject,
  status: unknown,
  refusals: readonly string[],
  /** When to look again although nothing was refused. */
  afterMs: number | undefined,
  { events }: Pick<ReconcilerContext, "events">,
): Worked {
  const ready = objectsIn(fieldAt(status, "conditions")).find(({ type }) => type === "Ready");
  const reason = textOf(ready?.["reason"]);
  const isAccount = reason.startsWith("ServiceAccount");
  const [message] = isAccount ? [textOf(ready?.["message"])] : refusals;
  if (message === undefined)
    return afterMs === undefined ? { kind: "done" } : { kind: "again", afterMs };
  events.record(owner, { type: "Warning", reason: isAccount ? reason : "Refused", message });
  throw new DiagnosticError([
    {
      code: "blueprints.stamping-refused",
      severity: "error",
      summary: message,
      subject: `${owner.kind} ${owner.metadata.namespace ?? ""}/${owner.metadata.name ?? ""}`,
      hint: "give the service account a Role for what its templates stamp",
    },
  ]);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
