import type { PlanAnswer, PlanView } from "../../src/dashboard/control-view.ts";
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
      const told: PlanAnswer = answer.ok
        ? ((await answer.json()) as PlanAnswer)
        : { kind: "failed", diagnostics: await diagnosticsOf(answer) };
      this.view = told.kind === "planned" ? told.plan : undefined;
      this.problems = told.kind === "failed" ? told.diagnostics : [];
    } catch {
      this.problems = [problem("the server does not answer")];
    } finally {
      this.isLoading = false;
    }
  }
}

export const plan = new Plan();
