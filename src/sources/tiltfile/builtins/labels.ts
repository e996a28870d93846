import { EvaluationError, type Convert } from "../../starlark/index.ts";
import { texts } from "../tiltfile-arguments.ts";

const labelPattern = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

/** Names of groups that a component is shown in. */
export const labelList: Convert<readonly string[]> = (value) =>
  texts(value).map((label) => {
    if (label.length <= 63 && labelPattern.test(label)) return label;
    throw new EvaluationError(
      `${JSON.stringify(label)} is no label: it needs 1 to 63 letters, digits, '-', '_' or '.', and begins and ends with a letter or digit`,
    );
  });
