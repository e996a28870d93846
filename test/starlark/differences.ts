/** Where ours differs from go.starlark.net on purpose; both outputs are brought to one form. */
export function withoutDifferences(output: string): string {
  return (
    output
      // Names near an unknown one are looked for among builtins and all parameters, too.
      .replaceAll(/ \(did you mean [^)]*\)/g, "")
      // The estimate of what a program may use says by how much.
      .replaceAll(/ \(limit [^)]*\)/g, "")
  );
}
