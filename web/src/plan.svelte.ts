import type { PlanView } from "../../src/dashboard/control-view.ts";
import type { DiagnosticJson } from "../../src/diagnostics/render-json.ts";
import { diagnosticsOf, problem } from "./act.svelte.ts";

/** What an apply would do, as the server last worked it out. */
class Plan {
  view = $state.raw<PlanView | undefined>();
  problems = $state.raw<readonly DiagnosticJson[]>([]);
  isLoading = $state(false);

  async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const answer = await fetch("/api/plan");
      if (answer.ok) {
        this.view = (await answer.json()) as PlanView;
        this.problems = [];
      } else {
        this.view = undefined;
        this.problems = await diagnosticsOf(answer);
      }
    } catch {
      this.problems = [problem("the server does not answer")];
    } finally {
      this.isLoading = false;
    }
  }
}

export const plan = new Plan();
