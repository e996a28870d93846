import { DiagnosticError } from "../../diagnostics/index.ts";
import { fieldAt, type KubernetesObject, objectsIn } from "../../objects/index.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";

/** What the server said no to may be allowed later, which nobody tells us of: it is tried again. */
export function tryAgain(
  owner: KubernetesObject,
  status: unknown,
  refusals: readonly string[],
  { events }: Pick<ReconcilerContext, "events">,
): { readonly kind: "done" } {
  const ready = objectsIn(fieldAt(status, "conditions")).find(({ type }) => type === "Ready");
  const reason = textOf(ready?.["reason"]);
  const isAccount = reason.startsWith("ServiceAccount");
  const [message] = isAccount ? [textOf(ready?.["message"])] : refusals;
  if (message === undefined) return { kind: "done" };
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
