import type { JsonObject } from "../../json/index.ts";
import { maskedValue, writeYamlValue } from "../../objects/index.ts";
import { goYaml } from "../cartographer/go-yaml.ts";
import { objectsAt, textAt } from "../model/read-fields.ts";
import { sha256 } from "../stamping/digest.ts";
import { outputValues, type StepOutput } from "../stamping/outputs.ts";

export interface OutputStatus {
  readonly name: string;
  readonly preview: string;
  readonly digest: string;
  readonly lastTransitionTime: string;
}

const longestPreview = 1024;

/** What a step emits as its owner shows it: the beginning, a digest, and since when. */
export function outputStatuses(
  output: StepOutput,
  previous: JsonObject | undefined,
  now: string,
  isCartographer: boolean,
): readonly OutputStatus[] {
  const { secretVersion } = output;
  return outputValues(output).map(([name, value]) => {
    const write = isCartographer ? goYaml : writeYamlValue;
    const text = secretVersion === undefined ? write(value) : maskedValue;
    const digest = `sha256:${sha256(secretVersion === undefined ? text : `${secretVersion} ${name}`)}`;
    const before = objectsAt(previous, "outputs").find((each) => each["name"] === name);
    const since = textAt(before, "lastTransitionTime");
    return {
      name,
      preview: text.slice(0, longestPreview),
      digest,
      lastTransitionTime: before?.["digest"] === digest && since !== undefined ? since : now,
    };
  });
}
