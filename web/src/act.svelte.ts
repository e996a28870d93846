import type { ActionOrder } from "../../src/dashboard/control-view.ts";
import type { DiagnosticJson } from "../../src/diagnostics/render-json.ts";

interface Refusal {
  readonly number: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

const mostRefusals = 5;

/** Has the server do things. How that goes the view tells; here is only what was not even begun. */
class Act {
  refusals = $state.raw<readonly Refusal[]>([]);
  #next = 0;

  async send(order: ActionOrder): Promise<boolean> {
    try {
      const answer = await fetch("/api/actions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-keelson-action": "1" },
        body: JSON.stringify(order),
      });
      if (answer.ok) return true;
      this.#refuse(await diagnosticsOf(answer));
    } catch {
      this.#refuse([problem("the server does not answer; nothing was asked for")]);
    }
    return false;
  }

  dismiss(number: number): void {
    this.refusals = this.refusals.filter((refusal) => refusal.number !== number);
  }

  #refuse(diagnostics: readonly DiagnosticJson[]): void {
    this.refusals = [{ number: this.#next++, diagnostics }, ...this.refusals].slice(
      0,
      mostRefusals,
    );
  }
}

export const act = new Act();

/** What an answer says is wrong. */
export async function diagnosticsOf(answer: Response): Promise<readonly DiagnosticJson[]> {
  const text = await answer.text();
  try {
    const { diagnostics } = JSON.parse(text) as {
      readonly diagnostics?: readonly DiagnosticJson[];
    };
    if (diagnostics !== undefined) return diagnostics;
  } catch {
    // It is a sentence then.
  }
  return [problem(text.trim() === "" ? `the server answers ${answer.status}` : text.trim())];
}

export function problem(summary: string): DiagnosticJson {
  return { code: "dashboard.action-failed", severity: "error", summary };
}
