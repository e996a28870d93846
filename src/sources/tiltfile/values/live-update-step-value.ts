import type { SourceRange } from "../../../diagnostics/index.ts";
import type { LiveUpdateStep } from "../../../images/index.ts";
import { PlainValue } from "./plain-value.ts";

/** A step between the function that makes it and the image that it is for. */
export class LiveUpdateStepValue extends PlainValue<LiveUpdateStep> {
  readonly source: SourceRange | undefined;

  constructor(step: LiveUpdateStep, source: SourceRange | undefined) {
    super("live_update_step", step, `<live update step ${step.kind}>`);
    this.source = source;
  }
}
