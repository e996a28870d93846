/**
 * Programs in TypeScript or JavaScript as a source: finds the project, evaluates it in a worker and
 * gives its graph as plain data.
 *
 * This folder knows no cluster and makes nothing: it only finds out what a program asks for.
 */
export { evaluateProgram } from "./evaluate-program.ts";
export type { EvaluateOptions, Evaluation } from "./evaluate-program.ts";
export { inspectProgram } from "./inspect-program.ts";
