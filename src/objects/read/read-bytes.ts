import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { fileDiagnostic } from "./file-diagnostic.ts";
import { formatBytes } from "./read-limits.ts";

export type ReadBytes =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "problem"; readonly diagnostic: Diagnostic };

/** Reads a file, or a pipe such as `<(command)`; one that is too large is refused before reading. */
export async function readFileBytes(path: string, most: number): Promise<ReadBytes> {
  try {
    const { size } = await stat(path);
    if (size > most) return tooLarge(path, most, size);
    return await readStreamBytes(path, createReadStream(path), most);
  } catch (error) {
    return { kind: "problem", diagnostic: fileDiagnostic(path, error) };
  }
}

/** Reads a stream to its end, or until it has given more than is allowed. */
export async function readStreamBytes(
  name: string,
  stream: AsyncIterable<unknown>,
  most: number,
): Promise<ReadBytes> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) continue;
    size += bytes.length;
    if (size > most) return tooLarge(name, most);
    chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks, size) };
}

function tooLarge(name: string, most: number, size?: number): ReadBytes {
  const actual = size === undefined ? "" : `${formatBytes(size)}, `;
  return {
    kind: "problem",
    diagnostic: {
      code: "objects.input-too-large",
      severity: "error",
      summary: `${name} is too large to be read: ${actual}more than ${formatBytes(most)}`,
      hint: "Split it into several files, or check that it is the one that was meant.",
    },
  };
}
