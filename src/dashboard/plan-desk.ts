import type { ServerResponse } from "node:http";
import { DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import { json } from "./answer-json.ts";
import type { PlanView } from "./control-view.ts";
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
    try {
      json(response, 200, await this.#making);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      json(response, 422, { diagnostics: error.diagnostics.map(diagnosticToJson) });
    }
  }
}
