import type { DiscoveryStrategy, PodReadiness } from "../../../assembly/index.ts";
import { EvaluationError, text, type Convert } from "../../starlark/index.ts";
import { instanceOf, TriggerModeValue } from "../values/tiltfile-values.ts";

/** A name of a component, which also is a part of addresses and of names of objects. */
export const componentName: Convert<string> = (value) => {
  const name = text(value);
  if (name === "." || name === ".." || /[/%]/.test(name))
    throw new EvaluationError(
      `${JSON.stringify(name)} is no name: it must be neither "." nor "..", and have no "/" and no "%"`,
    );
  return name;
};

export const triggerMode = instanceOf(TriggerModeValue, "TRIGGER_MODE_AUTO or TRIGGER_MODE_MANUAL");

function oneOf<T extends string>(values: readonly T[]): Convert<T | undefined> {
  return (value) => {
    const given = text(value);
    if (given === "") return undefined;
    const found = values.find((each) => each === given.toLowerCase());
    if (found !== undefined) return found;
    const choices = values.map((each) => `'${each}'`).join(", ");
    throw new EvaluationError(`got ${JSON.stringify(given)}, want one of ${choices}`);
  };
}

export const podReadiness = oneOf<PodReadiness>(["ignore", "wait", "succeeded"]);
export const discoveryStrategy = oneOf<DiscoveryStrategy>(["default", "selectors-only"]);
