import type { Readiness } from "../readiness/index.ts";
import type { DevView } from "./control-view.ts";

/** One verdict on a component with two axes: of both what most needs a look. */
export function devVerdict({ update, runtime }: DevView): Readiness {
  if (update.status === "error") return verdict("Failed", update);
  if (runtime.status === "error") return verdict("Failed", runtime);
  switch (update.status) {
    case "pending":
    case "in_progress":
      return verdict("InProgress", update);
    case "none":
      return verdict("Unknown", update);
    case "ok":
    case "not_applicable":
      break;
  }
  switch (runtime.status) {
    case "none":
    case "unknown":
    case "pending":
      return verdict("InProgress", runtime);
    case "not_applicable":
      return verdict("Current", update);
    case "ok":
      return verdict("Current", runtime);
  }
}

function verdict(
  status: Readiness["status"],
  { reason, message, cause }: Omit<Readiness, "status">,
): Readiness {
  return cause === undefined ? { status, reason, message } : { status, reason, message, cause };
}
