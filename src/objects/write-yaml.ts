import { defineScalarTag, dump, DUMP_SCHEMA, intYaml11Tag, NOT_RESOLVED } from "js-yaml";
import type { DumpOptions } from "js-yaml";
import { isUnsafeText, safeText } from "../diagnostics/safe-text.ts";
import { stringifyJson } from "../json/index.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { resolveScalar } from "./yaml/resolve-scalar.ts";

/**
 * Writes objects as a YAML stream the way kubectl prints them, but with the fields in their order
 * and the ones that say what the object is first.
 */
export function writeYaml(objects: Iterable<KubernetesObject>): string {
  return Array.from(objects, (object) => writeYamlValue(identifyingFirst(object))).join("---\n");
}

/** Writes any JSON value as one YAML document, with a newline at its end. */
export function writeYamlValue(value: unknown): string {
  const text = dump(value, options);
  // YAML lets invisible characters stand for themselves. JSON, which is YAML too, can spell them out.
  return isUnsafeText(text) ? `${safeText(stringifyJson(value))}\n` : text;
}

function identifyingFirst({ apiVersion, kind, metadata, ...rest }: KubernetesObject): object {
  return { apiVersion, kind, metadata, ...rest };
}

// Text that any YAML reader takes for something else is quoted, and beyond that what kubectl does.
const kubectlScalar = defineScalarTag<unknown>("tag:keelson.dev,2026:kubectl-scalar", {
  implicit: true,
  resolve: (source) => {
    const value = resolveScalar(source);
    return typeof value === "string" ? NOT_RESOLVED : value;
  },
  identify: () => false,
});

// Large integers are written as what they are.
const integer = defineScalarTag<unknown>("tag:yaml.org,2002:int", {
  implicit: true,
  implicitFirstChars: "-+0123456789".split(""),
  resolve: (source) =>
    /^[-+]?\d+$/.test(source) ? source : intYaml11Tag.resolve(source, false, intYaml11Tag.tagName),
  identify: (value) => typeof value === "bigint" || intYaml11Tag.identify(value),
  represent: String,
});

const options: DumpOptions = {
  schema: DUMP_SCHEMA.withTags(integer, kubectlScalar),
  lineWidth: -1,
  noRefs: true,
  seqNoIndent: true,
  skipInvalid: true,
  quoteStyle: "double",
};
