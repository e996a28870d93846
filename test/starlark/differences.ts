/** Where ours differs from go.starlark.net on purpose; both outputs are brought to one form. */
export function withoutDifferences(output: string): string {
  return (
    output
      // Names near an unknown one are looked for among builtins and all parameters, too.
      .replaceAll(/ \(did you mean [^)]*\)/g, "")
      // Ours points at the bracket of a failing slice, theirs at what was last evaluated in it.
      .replace(
        /:\d+:\d+: (in .*\nError: (?:invalid slice|invalid start|invalid end|zero is not))/,
        ": $1",
      )
      // Ours points at the definition of a function that cannot be called so, theirs into its body.
      .replace(/:\d+:\d+: (in .*\nError: function \S+ (?:missing|accepts|got))/, ": $1")
      // Which two elements a sort compares first is its own affair.
      .replace(/(Error in sorted: )\S+ < \S+ not implemented/, "$1not comparable")
  );
}
