import { EvaluationError, text, type Convert } from "../../starlark/index.ts";

const domain = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d+)?\/)?`;
const repository = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`;
const pattern = new RegExp(
  `^${domain}${repository}(?:/${repository})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$`,
);
const longest = 4096;

/** A reference of an image, perhaps with a tag. */
export const imageReference: Convert<string> = (value) => {
  const reference = text(value);
  if (reference.length <= longest && pattern.test(reference)) return reference;
  throw new EvaluationError(`${JSON.stringify(reference)} is no image reference`);
};
