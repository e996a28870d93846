/** A line that fits the terminal; colours do not count, and are ended. */
export function cutLine(line: string, width: number): string {
  let visible = 0;
  let index = 0;
  while (index < line.length && visible < width - 1) {
    // oxlint-disable-next-line no-control-regex -- the escape character begins a colour
    const escape = /^\u001B\[[\d;]*m/.exec(line.slice(index, index + 12));
    if (escape === null) visible++;
    index += escape === null ? 1 : escape[0].length;
  }
  return index >= line.length ? line : `${line.slice(0, index)}…\u001B[0m`;
}
