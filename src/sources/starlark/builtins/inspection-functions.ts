import { anyValue, byteString, optional, unpackArguments, unpackPositional } from "../arguments.ts";
import { asByteText, decodeText, runesOf } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { attributeNames, findAttribute } from "../operations/attribute.ts";
import { lengthOf } from "../operations/iterate.ts";
import { display, show } from "../operations/show.ts";
import { typeName } from "../operations/type-name.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import type { BuiltinCode, KeywordArguments } from "../values/callable.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkObject, type Value } from "../values/value.ts";
import { exactlyOne } from "./exactly-one.ts";

/** Builtins that look at values, print them or fail with them. */
export const inspectionFunctions: Readonly<Record<string, BuiltinCode>> = {
  dir(_thread, args, keywords) {
    const names = attributeNames(exactlyOne("dir", args, keywords, "1")) ?? [];
    return new StarlarkList([...names].sort().map(asByteText));
  },

  fail(_thread, args, keywords) {
    const { sep = asByteText(" ") } = unpackArguments("fail", [], keywords, {
      sep: optional(byteString),
    });
    raise(`fail: ${args.map(display).join(sep)}`);
  },

  getattr(_thread, args, keywords, name) {
    const [object, attribute, missing] = unpackPositional(
      name,
      args,
      keywords,
      [anyValue, byteString],
      [anyValue],
    );
    const value = findAttribute(object, attribute);
    if (value !== undefined) return value;
    if (missing !== undefined) return missing;
    const message =
      object instanceof StarlarkObject
        ? object.missingAttribute(attribute)
        : `${typeName(object)} has no .${attribute} field or method`;
    raise(`getattr: ${message}`);
  },

  hasattr(_thread, args, keywords, name) {
    const [object, attribute] = unpackPositional(name, args, keywords, [anyValue, byteString]);
    return findAttribute(object, attribute) !== undefined;
  },

  hash(_thread, args, keywords, name) {
    const [value] = unpackPositional(name, args, keywords, [anyValue]);
    if (typeof value === "string") return javaStringHash(value);
    if (value instanceof StarlarkBytes) return fowlerNollVoHash(value.bytes);
    raise(`hash: got ${typeName(value)}, want string or bytes`);
  },

  len(_thread, args, keywords, name) {
    const [value] = unpackPositional(name, args, keywords, [anyValue]);
    const length = lengthOf(value);
    return length < 0 ? raise(`len: value of type ${typeName(value)} has no len`) : length;
  },

  print(thread, args, keywords) {
    thread.host.print(decodeText(printed(args, keywords)), thread.position);
    return null;
  },

  repr({ meter }, args, keywords, name) {
    const [value] = unpackPositional(name, args, keywords, [anyValue]);
    const shown = show(value);
    meter.allocate(shown.length);
    return shown;
  },

  type(_thread, args, keywords) {
    return asByteText(typeName(exactlyOne("type", args, keywords, "exactly 1")));
  },
};

function printed(args: readonly Value[], keywords: KeywordArguments): string {
  const { sep = asByteText(" ") } = unpackArguments("print", [], keywords, {
    sep: optional(byteString),
  });
  return args
    .map((value) => (value instanceof StarlarkBytes ? value.bytes : display(value)))
    .join(sep);
}

/** The hash that Java defines for strings, over code points. */
function javaStringHash(bytes: string): number {
  let hash = 0;
  for (const rune of runesOf(bytes)) hash = (Math.imul(hash, 31) + rune) | 0;
  return hash;
}

function fowlerNollVoHash(bytes: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index++) {
    hash = Math.imul(hash ^ bytes.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
