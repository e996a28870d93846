/** A place in a Starlark file; line and column count from 1, columns in characters. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function formatPlace({ file, line, column }: Position): string {
  return line > 0 ? `${file}:${line}:${column}` : file;
}
