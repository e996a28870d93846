/** @typedef {Record<string, { type: "string" | "boolean", required?: boolean }>} Shape */

/** @param {Shape} shape @returns {string[]} what is wrong with inputs, in words */
export function problemsOf(shape, inputs) {
  const problems = [];
  for (const [name, { type, required = false }] of Object.entries(shape)) {
    const value = inputs[name];
    if (value === undefined ? required : typeof value !== type)
      problems.push(`${name} must be a ${type === "string" ? "text" : "boolean"}`);
  }
  for (const name of Object.keys(inputs))
    if (shape[name] === undefined) problems.push(`${name} is not one of its inputs`);
  return problems;
}

/** @returns {string[]} the names of inputs that differ */
export function changedNames(oldInputs, newInputs) {
  const names = new Set([...Object.keys(oldInputs), ...Object.keys(newInputs)]);
  return [...names].filter((name) => oldInputs[name] !== newInputs[name]).sort();
}
