import { fail } from "../../diagnostics/index.ts";
import type { RunEvent } from "../../events/index.ts";
import type { CliContext } from "../context.ts";
import { createStyle } from "../style.ts";
import { linesOfEvent } from "../views/lines-view.ts";

const mostListed = 20;
const plain = createStyle({ colors: false, logColors: false });

/** Tells how a run goes, in the words of the terminal, and remembers what failed in it. */
export class RunProgress {
  readonly #context: CliContext;
  readonly #report: (message: string) => void;
  readonly #failures: string[] = [];
  readonly #kept: string[] = [];
  #summary = "";

  constructor(context: CliContext, report: (message: string) => void) {
    this.#context = { ...context, style: { stdout: plain, stderr: plain } };
    this.#report = report;
  }

  readonly emit = (event: RunEvent): void => {
    const text = linesOfEvent(event, this.#context, { verbose: false }).join("\n");
    if (event.type === "summary") this.#summary = text;
    else if (text !== "") this.#report(text);
    if (hasFailed(event)) note(this.#failures, text);
    else if (isKept(event)) note(this.#kept, text);
  };

  /** What was done; fails when not everything that was to be done was. */
  end(subject: string): string {
    if (this.#failures.length === 0) return [this.#summary, ...this.#kept].join("\n");
    return fail({
      code: "dashboard.action-failed",
      summary: `${subject}: not everything was done`,
      detail: this.#failures.join("\n"),
      hint: "mend what is said here, and ask for it again",
    });
  }
}

function note(lines: string[], text: string): void {
  if (lines.length < mostListed) lines.push(text);
}

function hasFailed(event: RunEvent): boolean {
  if (event.type === "apply") return event.status === "failed" || event.status === "skipped";
  if (event.type === "prune" || event.type === "delete" || event.type === "wait")
    return event.status === "failed" || event.status === "timeout";
  return event.type === "error";
}

function isKept(event: RunEvent): boolean {
  return (event.type === "prune" || event.type === "delete") && event.status === "skipped";
}
