import {
  anyValue,
  byteString,
  optional,
  required,
  text,
  unpackArguments,
  unpackPositional,
} from "../arguments.ts";
import { encodeText, type ByteText } from "../byte-text.ts";
import { named, raise } from "../evaluation-error.ts";
import { StarlarkBuiltin, type BuiltinCode, type KeywordArguments } from "../values/callable.ts";
import { StarlarkModule } from "../values/struct.ts";
import type { Value } from "../values/value.ts";
import { decodeJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { indentJson } from "./json-indent.ts";

const encode: BuiltinCode = ({ meter }, args, keywords, name) => {
  const [value] = unpackPositional(name, args, keywords, [anyValue]);
  const json = named(name, () => encodeJson(value));
  meter.allocate(json.length);
  return json;
};

const encodeIndent: BuiltinCode = ({ meter }, args, keywords, name) => {
  const { prefix, indent } = indentation(name, keywords);
  const [value] = unpackPositional(name, args, [], [anyValue]);
  const json = named(name, () => indentJson(encodeJson(value), prefix, indent));
  meter.allocate(json.length);
  return json;
};

const indent: BuiltinCode = ({ meter }, args, keywords, name) => {
  const { prefix, indent: step } = indentation(name, keywords);
  const [json] = unpackPositional(name, args, [], [byteString]);
  const result = named(name, () => indentJson(json, prefix, step));
  meter.allocate(result.length);
  return result;
};

const decode: BuiltinCode = ({ meter }, args, keywords, name) => {
  const { x, default: fallback } = unpackArguments(name, args, keywords, {
    x: required(byteString),
    default: optional(anyValue),
  });
  if (args.length === 0) raise(`${name}: unexpected keyword argument x`);
  const decoded = decodeJson(meter, x);
  if (!("problem" in decoded)) return decoded.value;
  if (fallback !== undefined) return fallback;
  return raise(`json.decode: at offset ${decoded.offset}, ${decoded.problem}`);
};

function indentation(
  name: string,
  keywords: KeywordArguments,
): { readonly prefix: ByteText; readonly indent: ByteText } {
  const { prefix = "", indent: step = "\t" } = unpackArguments(name, [], keywords, {
    prefix: optional(text),
    indent: optional(text),
  });
  return { prefix: encodeText(prefix), indent: encodeText(step) };
}

/** The `json` module of go.starlark.net. */
export const jsonModule: Value = new StarlarkModule("json", {
  encode: new StarlarkBuiltin("json.encode", encode),
  encode_indent: new StarlarkBuiltin("json.encode_indent", encodeIndent),
  decode: new StarlarkBuiltin("json.decode", decode),
  indent: new StarlarkBuiltin("json.indent", indent),
});
