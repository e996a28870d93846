import { resolveInteger, resolveScalar } from "./resolve-scalar.ts";
import type { ScalarValue } from "./resolve-scalar.ts";

export type TaggedScalar =
  | { readonly kind: "value"; readonly value: ScalarValue }
  | { readonly kind: "problem"; readonly message: string };

const standardPrefix = "tag:yaml.org,2002:";

/** Reads a scalar with an explicit tag as kubectl does; tags it does not know leave text as text. */
export function resolveTagged(tag: string, text: string): TaggedScalar {
  const name = standardName(tag) ?? "";
  switch (name) {
    case "null":
      return accept(resolveScalar(text) === null, null, name);
    case "bool": {
      const value = resolveScalar(text);
      return accept(typeof value === "boolean", value, name);
    }
    case "int": {
      const value = resolveInteger(text);
      return accept(value !== undefined, value ?? null, name);
    }
    case "float": {
      const value = resolveScalar(text);
      return accept(typeof value === "number", value, name);
    }
    case "timestamp":
      return accept(/^\d{4}-\d/.test(text), text, name);
    case "binary":
      return decodeBinary(text);
    default:
      return { kind: "value", value: text };
  }
}

function standardName(tag: string): string | undefined {
  if (tag.startsWith("!!")) return tag.slice(2);
  const verbatim = tag.startsWith("!<") ? tag.slice(2, -1) : "";
  return verbatim.startsWith(standardPrefix) ? verbatim.slice(standardPrefix.length) : undefined;
}

function accept(fits: boolean, value: ScalarValue, name: string): TaggedScalar {
  return fits
    ? { kind: "value", value }
    : { kind: "problem", message: `the value does not fit its tag !!${name}` };
}

function decodeBinary(text: string): TaggedScalar {
  const packed = text.replaceAll(/[\r\n]/g, "");
  const bytes = Buffer.from(packed, "base64");
  return bytes.toString("base64") === packed
    ? { kind: "value", value: bytes.toString("utf8") }
    : { kind: "problem", message: "the value after !!binary is not base64" };
}
