const newline = 0x0a;

/**
 * Splits a stream of bytes into lines. A line longer than `longest` bytes comes in pieces, so that a
 * stream without newlines does not fill the memory.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (): string => {
    const only = pieces.length === 1 ? pieces[0] : undefined;
    const bytes = only === undefined ? Buffer.concat(pieces) : viewOf(only);
    pieces = [];
    length = 0;
    return bytes.toString("utf8");
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length >= longest) yield take();
  }
  if (pieces.length > 0) yield take();
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
