/** One file of an archive. */
export interface TarEntry {
  /** Without a leading slash. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

const block = 512;
const longestName = 100;

/** An archive in the ustar format, with pax headers for long names. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const { path, content, mode } of entries) {
    const name = Buffer.from(path);
    if (name.length > longestName) {
      const record = paxRecord("path", path);
      parts.push(header("././@PaxHeader", record.length, 0o644, "x"), record, padding(record));
    }
    parts.push(header(path, content.length, mode, "0"), Buffer.from(content), padding(content));
  }
  parts.push(Buffer.alloc(2 * block));
  return Buffer.concat(parts);
}

function header(path: string, size: number, mode: number, type: string): Buffer {
  const bytes = Buffer.alloc(block);
  Buffer.from(path).subarray(0, longestName).copy(bytes, 0);
  bytes.write(octal(mode & 0o7777, 7), 100);
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(size, 11), 124);
  bytes.write(octal(0, 11), 136);
  bytes.fill(" ", 148, 156);
  bytes.write(type, 156);
  bytes.write("ustar\u000000", 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${octal(sum, 6)}\0 `, 148);
  return bytes;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** `LENGTH key=value\n`, whose length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function padding({ length }: { readonly length: number }): Buffer {
  return Buffer.alloc((block - (length % block)) % block);
}
