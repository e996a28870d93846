import { parseImageReference } from "../../../assembly/index.ts";
import { EvaluationError, text, type Convert } from "../../starlark/index.ts";

/** A reference of an image, perhaps with a tag. */
export const imageReference: Convert<string> = (value) => {
  const reference = text(value);
  if (parseImageReference(reference) !== undefined) return reference;
  throw new EvaluationError(`${JSON.stringify(reference)} is no image reference`);
};
