import type { Diagnostic } from "../../diagnostics/index.ts";

export type DecodedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problem"; readonly diagnostic: Diagnostic };

/** Decodes UTF-8 strictly: a replacement character must never slip into an object. */
export function decodeInput(name: string, bytes: Buffer): DecodedText {
  const zero = bytes.indexOf(0);
  if (zero !== -1) return problem(name, bytes, zero, "it is a binary file");
  try {
    return { kind: "text", text: decoder.decode(bytes) };
  } catch {
    return problem(name, bytes, firstInvalid(bytes), "it is not encoded as UTF-8");
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function problem(name: string, bytes: Buffer, offset: number, why: string): DecodedText {
  const before = bytes.subarray(0, offset);
  const line = before.reduce((count, byte) => (byte === 10 ? count + 1 : count), 1);
  const column = before.subarray(before.lastIndexOf(10) + 1).toString("utf8").length + 1;
  return {
    kind: "problem",
    diagnostic: {
      code: "objects.not-text",
      severity: "error",
      summary: `${name} cannot be read: ${why}`,
      hint: "Check that it is a YAML or JSON file, and save it as UTF-8.",
      source: { file: name, start: { line, column } },
    },
  };
}

/** Halves the text until the first byte that no character can have is found. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (startsValid(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  // The bytes of a character that was never finished are counted to the mistake.
  return Buffer.byteLength(decodeStart(bytes.subarray(0, valid)));
}

function startsValid(bytes: Buffer): boolean {
  try {
    decodeStart(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Decodes the start of a text; a character that is cut off at its end is left out. */
function decodeStart(bytes: Buffer): string {
  const options = { fatal: true, ignoreBOM: true };
  return new TextDecoder("utf-8", options).decode(bytes, { stream: true });
}
