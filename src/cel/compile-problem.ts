/** A mistake in an expression and the offset in its text where it is. */
export interface CompileProblem {
  readonly position: number;
  readonly message: string;
}

export class SyntaxProblem extends Error {
  readonly position: number;
  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

/** All problems with the line and a pointer under it, as the server shows them. */
export function formatProblems(text: string, problems: readonly CompileProblem[]): string {
  return problems.map((problem) => formatProblem(text, problem)).join("\n");
}

function formatProblem(text: string, { position, message }: CompileProblem): string {
  const before = text.slice(0, position).split("\n");
  const line = text.split("\n")[before.length - 1] ?? "";
  const column = Array.from(before.at(-1) ?? "").length;
  const where = `${before.length}:${column + 1}`;
  return `ERROR: <input>:${where}: ${message}\n | ${line}\n | ${".".repeat(column)}^`;
}
