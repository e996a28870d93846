import { equalValues, type JsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";
import { isSecret, type KubernetesObject } from "../../objects/index.ts";
import type { Expected, TemplateOutput } from "../model/template.ts";
import { evaluatePath } from "../requirements/evaluate-path.ts";
import type { StepOutput } from "./outputs.ts";

/** What a stamped object emits, or why it does not yet. */
export type OutputReading =
  | { readonly kind: "output"; readonly output: StepOutput }
  /** There is no value at this path yet. */
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "notMet"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "problem"; readonly message: string };

export function readOutput(
  wanted: TemplateOutput,
  object: KubernetesObject,
  /** The source that a deployment passes on. */
  deployment: StepOutput | undefined,
): OutputReading {
  const reading = readPlainly(wanted, object, deployment);
  if (!isSecret(object)) return reading;
  const { uid = "", resourceVersion = "" } = object.metadata;
  const isOwn = reading.kind === "output" && reading.output !== deployment;
  if (isOwn)
    return {
      ...reading,
      output: { ...reading.output, secretVersion: `${uid} ${resourceVersion}` },
    };
  // Why it does not match could only be said with its values.
  return reading.kind === "notMet" || reading.kind === "failed"
    ? { ...reading, message: "its values do not say so" }
    : reading;
}

function readPlainly(
  wanted: TemplateOutput,
  object: KubernetesObject,
  deployment: StepOutput | undefined,
): OutputReading {
  const value = object as unknown as JsonObject;
  switch (wanted.kind) {
    case "none":
      return { kind: "output", output: { kind: "none" } };
    case "source":
      return readBoth(value, wanted.urlPath, wanted.revisionPath);
    case "image": {
      const found = readAt(value, wanted.path);
      return found.kind === "value"
        ? { kind: "output", output: { kind: "image", image: found.value } }
        : found;
    }
    case "config": {
      const found = readAt(value, wanted.path);
      return found.kind === "value"
        ? { kind: "output", output: { kind: "config", config: found.value } }
        : found;
    }
    case "matches":
      return observedMatches(wanted.matches, value) ?? passedOn(deployment);
    case "completion":
      return observedCompletion(wanted.succeeded, wanted.failed, value) ?? passedOn(deployment);
  }
}

type Read =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "problem"; readonly message: string };

/** A null is no value to hand on. */
function readAt(value: JsonObject, path: string): Read {
  const found = evaluatePath(path, value);
  switch (found.kind) {
    case "value":
      return found.value === null ? { kind: "missing", path } : found;
    case "missing":
      return { kind: "missing", path };
    case "several":
      return {
        kind: "problem",
        message: `${path} leads to ${found.count} values, and must lead to one`,
      };
    case "unreadable":
      return { kind: "problem", message: found.message };
  }
}

function readBoth(value: JsonObject, urlPath: string, revisionPath: string): OutputReading {
  const url = readAt(value, urlPath);
  if (url.kind !== "value") return url;
  const revision = readAt(value, revisionPath);
  if (revision.kind !== "value") return revision;
  return { kind: "output", output: { kind: "source", url: url.value, revision: revision.value } };
}

function passedOn(deployment: StepOutput | undefined): OutputReading {
  return deployment === undefined
    ? { kind: "problem", message: "there is no deployment to pass on" }
    : { kind: "output", output: deployment };
}

/** Every value that was asked for has come out. */
function observedMatches(
  matches: readonly { readonly input: string; readonly output: string }[],
  value: JsonObject,
): OutputReading | undefined {
  for (const { input, output } of matches) {
    const asked = readAt(value, input);
    if (asked.kind === "problem") return asked;
    if (asked.kind === "missing")
      return {
        kind: "notMet",
        message: `could not find value on input [${input}]: jsonpath returned empty list: ${input}`,
      };
    const observed = readAt(value, output);
    if (observed.kind === "problem") return observed;
    if (observed.kind === "missing")
      return {
        kind: "notMet",
        message: `could not find value on output [${output}]: jsonpath returned empty list: ${output}`,
      };
    if (!equalValues(asked.value, observed.value))
      return {
        kind: "notMet",
        message: `input [${input}] and output [${output}] do not match: ${shown(asked.value)} != ${shown(observed.value)}`,
      };
  }
  return undefined;
}

/** The object was looked at as it is now, did not fail, and succeeded. */
function observedCompletion(
  succeeded: Expected,
  failed: Expected | undefined,
  value: JsonObject,
): OutputReading | undefined {
  const observed = readAt(value, "status.observedGeneration");
  if (observed.kind !== "value")
    return {
      kind: "notMet",
      message: "status.observedGeneration is not there, which observedCompletion needs",
    };
  const generation = readAt(value, "metadata.generation");
  if (generation.kind !== "value" || !equalValues(generation.value, observed.value))
    return {
      kind: "notMet",
      message: `status.observedGeneration does not equal metadata.generation: ${shown(observed.value)} != ${generation.kind === "value" ? shown(generation.value) : "nothing"}`,
    };
  if (failed !== undefined) {
    const found = readAt(value, failed.key);
    if (found.kind === "problem") return found;
    if (found.kind === "value" && shown(found.value) === failed.value)
      return {
        kind: "failed",
        message: `deployment failure condition [${failed.key}] was: ${failed.value}`,
      };
  }
  const found = readAt(value, succeeded.key);
  if (found.kind === "problem") return found;
  if (found.kind === "value" && shown(found.value) === succeeded.value) return undefined;
  return {
    kind: "notMet",
    message: `deployment success condition [${succeeded.key}] was: ${found.kind === "value" ? shown(found.value) : "nothing"}, expected: ${succeeded.value}`,
  };
}

function shown(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
