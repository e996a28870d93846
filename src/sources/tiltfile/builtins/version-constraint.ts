import { EvaluationError, text, type Convert } from "../../starlark/index.ts";

const version = String.raw`(?:\d+\.\d+\.\d+(?:-[\da-zA-Z.-]+)?(?:\+[\da-zA-Z.-]+)?|\d+\.\d+\.x|\d+\.x(?:\.x)?)`;
const range = `(?:==?|!=?|[<>]=?)? *${version}`;
const constraintPattern = new RegExp(`^ *${range}(?: +(?:\\|\\| +)?${range})* *$`);

/** Versions of Tilt, as Tilt names them; an empty text asks for none. */
export const versionConstraint: Convert<string> = (value) => {
  const given = text(value);
  if (given === "" || constraintPattern.test(given)) return given;
  throw new EvaluationError(
    `${JSON.stringify(given)} is no version constraint; write one such as ">=0.30.0 <1.0.0"`,
  );
};
