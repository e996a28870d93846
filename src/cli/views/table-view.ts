import type { RunEvent } from "../../events/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../objects/index.ts";
import type { CliContext } from "../context.ts";
import { type LinesOptions, linesOfEvent } from "./lines-view.ts";
import { planCounts } from "./plan-counts.ts";
import type { RunView } from "./run-view.ts";
import { tableLines } from "./table-lines.ts";

interface Row {
  readonly object: ObjectIdentity;
  readonly action: string;
  readonly status: string;
  readonly message: string;
}

/** One table at the end: each object with what was done to it and how it is; before, what is waited for. */
export function tableView(context: CliContext, { showsPlan }: LinesOptions): RunView {
  const { stdout, stderr } = context.process;
  const rows = new Map<string, Row>();
  return {
    show: (event) => {
      if (event.type === "wait" && event.status === "pending")
        for (const line of linesOfEvent(event, context, { verbose: false }))
          stderr.write(`${line}\n`);
      if (event.type === "validation" || event.type === "error" || event.type === "warning")
        for (const line of linesOfEvent(event, context, { verbose: false }))
          stderr.write(`${line}\n`);
      note(rows, event);
      if (event.type !== "summary") return;
      const cells = [...rows.values()].map(({ object, action, status, message }) => [
        formatIdentity(object),
        action,
        status,
        message,
      ]);
      for (const line of tableLines([["OBJECT", "ACTION", "STATUS", "MESSAGE"], ...cells]))
        stdout.write(`${line}\n`);
      const counts = showsPlan === true ? [planCounts(event.counts.plan)] : undefined;
      for (const line of counts ?? linesOfEvent(event, context, { verbose: false }))
        stdout.write(`${line}\n`);
    },
    close: () => {},
  };
}

function note(rows: Map<string, Row>, event: RunEvent): void {
  switch (event.type) {
    case "plan":
    case "apply":
    case "prune":
    case "delete":
    case "wait":
    case "status":
      rows.set(
        identityKey(event.object),
        rowAfter(rows.get(identityKey(event.object)), event.object, event),
      );
      return;
    case "build":
    case "log":
    case "load":
    case "component":
    case "group":
    case "validation":
    case "error":
    case "warning":
    case "summary":
  }
}

type ObjectEvent = Extract<RunEvent, { readonly status: string; readonly object: ObjectIdentity }>;

function rowAfter(before: Row | undefined, object: ObjectIdentity, event: ObjectEvent): Row {
  const row = before ?? { object, action: "", status: "", message: "" };
  const message = event.message ?? "";
  switch (event.type) {
    case "plan":
      return { ...row, action: event.status, message };
    case "apply":
      return { ...row, action: event.change ?? event.status, message };
    case "prune":
    case "delete":
      return event.status === "successful"
        ? { ...row, action: event.type === "prune" ? "pruned" : "deleted", status: "gone", message }
        : { ...row, action: event.status === "skipped" ? "kept" : event.status, message };
    case "wait": {
      const ended = event.reason === "Interrupted" ? "interrupted" : event.status;
      return { ...row, status: event.status === "successful" ? "ready" : ended, message };
    }
    case "status":
      return { ...row, status: event.status, message };
  }
}
