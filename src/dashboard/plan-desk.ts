import type { ServerResponse } from "node:http";
import { DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import { json } from "./answer-json.ts";
import type { PlanAnswer, PlanView } from "./control-view.ts";
import type { DashboardPlans } from "./dashboard-actions.ts";

/** Makes plans for all pages that ask: who asks while one is made gets the same. */
export class PlanDesk {
  readonly #plans: DashboardPlans | undefined;
  #making: Promise<PlanView> | undefined;

  constructor(plans: DashboardPlans | undefined) {
    this.#plans = plans;
  }

  async answer(response: ServerResponse): Promise<void> {
    const plans = this.#plans;
    if (plans === undefined) {
      json(response, 404, { error: "there is no source, so there is no plan" });
      return;
    }
    this.#making ??= plans.make().finally(() => {
      this.#making = undefined;
    });
    json(response, 200, await answerOf(this.#making));
  }
}

/** That there is no plan because the source is wrong is an answer, too. */
async function answerOf(making: Promise<PlanView>): Promise<PlanAnswer> {
  try {
    return { kind: "planned", plan: await making };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { kind: "failed", diagnostics: error.diagnostics.map(diagnosticToJson) };
  }
}
