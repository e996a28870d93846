/** What the page is told of supply chains. Types only: the page is built from them too. */
import type { Readiness } from "../readiness/index.ts";
import type { ConditionView, ObjectView } from "./dashboard-view.ts";

/** A Workload, Deliverable or Bundle. */
export interface OwnerView extends Readiness {
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly created: string;
  /** The blueprint that serves it; empty while none does. */
  readonly blueprint: string;
  /** A bundle has resources in the place of steps, and nothing that serves it. */
  readonly isBundle: boolean;
  readonly steps: readonly StepView[];
  /** Changes whenever anything that its own view shows has changed. */
  readonly version: string;
}

export interface StepView extends Readiness {
  readonly name: string;
  /** The template that it uses; empty when it passes an input through, or has not come to one. */
  readonly template: string;
  /** The steps that it takes something from. */
  readonly takes: readonly string[];
  readonly object?: ObjectView;
}

/** The way of an owner through its blueprint, and why it is that one. */
export interface OwnerDetail {
  readonly blueprints: readonly OptionView[];
  /** What is wrong with the blueprint itself. */
  readonly problem: string;
  readonly conditions: readonly ConditionView[];
  readonly steps: readonly StepDetail[];
}

/** Something that could be chosen, with a verdict on each of its requirements. */
export interface OptionView {
  readonly name: string;
  readonly isChosen: boolean;
  readonly verdicts: readonly string[];
}

export interface StepDetail {
  readonly name: string;
  /** What it comes to, in a few words. */
  readonly used: string;
  readonly options: readonly OptionView[];
  readonly takes: readonly {
    readonly kind: string;
    readonly name: string;
    readonly step: string;
  }[];
  readonly outputs: readonly OutputView[];
  readonly conditions: readonly ConditionView[];
  /** What it has stamped. */
  readonly yaml: string;
}

export interface OutputView {
  readonly name: string;
  readonly preview: string;
  readonly since: string;
}
