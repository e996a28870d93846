import { anyValue, byteString, int, unpackPositional } from "../arguments.ts";
import { asByteText, runeAt, runesOf, type ByteText } from "../byte-text.ts";
import { named, raise } from "../evaluation-error.ts";
import { bounds } from "../operations/element.ts";
import { typeName } from "../operations/type-name.ts";
import type { BuiltinCode } from "../values/callable.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";

/** Methods that look for a string inside another. */
export const stringSearchMethods: Readonly<Record<string, BuiltinCode>> = {
  count(_thread, args, keywords, name, receiver) {
    const [wanted, low, high] = unpackPositional(
      name,
      args,
      keywords,
      [byteString],
      [anyValue, anyValue],
    );
    const { part } = partBetween(name, receiver as ByteText, low, high);
    return wanted === "" ? runesOf(part).length + 1 : part.split(wanted).length - 1;
  },

  find: search({ fromEnd: false, mustFind: false }),
  index: search({ fromEnd: false, mustFind: true }),
  rfind: search({ fromEnd: true, mustFind: false }),
  rindex: search({ fromEnd: true, mustFind: true }),

  startswith: affix((bytes, prefix) => bytes.startsWith(prefix)),
  endswith: affix((bytes, suffix) => bytes.endsWith(suffix)),

  partition: partition((bytes, separator) => bytes.indexOf(separator)),
  rpartition: partition((bytes, separator) => bytes.lastIndexOf(separator)),

  replace({ meter }, args, keywords, name, receiver) {
    const [old, replacement, count = -1] = unpackPositional(
      name,
      args,
      keywords,
      [byteString, byteString],
      [int],
    );
    const result = replaceSome(receiver as ByteText, old, replacement, count);
    meter.allocate(result.length);
    return asByteText(result);
  },
};

function search(how: { readonly fromEnd: boolean; readonly mustFind: boolean }): BuiltinCode {
  return (_thread, args, keywords, name, receiver) => {
    const [wanted, low, high] = unpackPositional(
      name,
      args,
      keywords,
      [byteString],
      [anyValue, anyValue],
    );
    const { part, start } = partBetween(name, receiver as ByteText, low, high);
    const index = how.fromEnd ? part.lastIndexOf(wanted) : part.indexOf(wanted);
    if (index >= 0) return index + start;
    return how.mustFind ? raise(`${name}: substring not found`) : -1;
  };
}

function partBetween(
  name: string,
  bytes: ByteText,
  low: Value | undefined,
  high: Value | undefined,
): { readonly part: string; readonly start: number } {
  const { start, end } = named(name, () => bounds(low ?? null, high ?? null, bytes.length));
  return { part: bytes.slice(start, end), start };
}

function affix(test: (bytes: string, affix: string) => boolean): BuiltinCode {
  return (_thread, args, keywords, name, receiver) => {
    const [wanted, low, high] = unpackPositional(
      name,
      args,
      keywords,
      [anyValue],
      [anyValue, anyValue],
    );
    const { part } = partBetween(name, receiver as ByteText, low, high);
    if (typeof wanted === "string") return test(part, wanted);
    if (!(wanted instanceof StarlarkTuple)) {
      raise(`${name}: got ${typeName(wanted)}, want string or tuple of string`);
    }
    return wanted.items.some((item, index) => {
      if (typeof item === "string") return test(part, item);
      raise(`${name}: want string, got ${typeName(item)}, for element ${index}`);
    });
  };
}

function partition(locate: (bytes: string, separator: string) => number): BuiltinCode {
  return (_thread, args, keywords, name, receiver) => {
    const bytes = receiver as ByteText;
    const [separator] = unpackPositional(name, args, keywords, [byteString]);
    if (separator === "") raise(`${name}: empty separator`);
    const index = locate(bytes, separator);
    const parts =
      index >= 0
        ? [bytes.slice(0, index), separator, bytes.slice(index + separator.length)]
        : name === "partition"
          ? [bytes, "", ""]
          : ["", "", bytes];
    return new StarlarkTuple(parts.map(asByteText));
  };
}

/** Nothing is found between all characters, and at both ends. */
function replaceSome(bytes: string, old: string, replacement: string, count: number): string {
  if (count === 0) return bytes;
  if (old !== "") {
    const parts = bytes.split(old);
    if (count < 0 || count >= parts.length - 1) return parts.join(replacement);
    return [parts.slice(0, count + 1).join(replacement), ...parts.slice(count + 1)].join(old);
  }
  const most = count < 0 ? Infinity : count;
  let result = replacement;
  let replaced = 1;
  let index = 0;
  for (; index < bytes.length && replaced < most; replaced++) {
    const { size } = runeAt(bytes, index);
    result += bytes.slice(index, index + size) + replacement;
    index += size;
  }
  return result + bytes.slice(index);
}
