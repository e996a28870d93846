import type { SourceRange } from "../../../diagnostics/index.ts";
import type { LiveUpdateStep } from "../../../images/index.ts";
import { PlainValue } from "./plain-value.ts";

/** A step between the function that makes it and the image that it is for. */
export class LiveUpdateStepValue extends PlainValue<LiveUpdateStep> {
  readonly source: SourceRange | undefined;

  constructor(step: LiveUpdateStep, source: SourceRange | undefined) {
    // Extensions ask for these names.
    const type = `live_update_${step.kind.replaceAll("-", "_")}_step`;
    super(type, step, `<${type}>`);
    this.source = source;
  }
}
