export interface PlacedStep {
  readonly name: string;
  readonly column: number;
  readonly row: number;
}

/** Where steps are drawn, from left to right: each to the right of all that it takes from. */
export function stepPlaces(
  steps: readonly { readonly name: string; readonly takes: readonly { readonly step: string }[] }[],
): readonly PlacedStep[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const columns = new Map<string, number>();
  const columnOf = (name: string, above: ReadonlySet<string>): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    // Steps that wait for each other are never begun; drawn they are all the same.
    const before = (byName.get(name)?.takes ?? []).filter(
      ({ step }) => byName.has(step) && step !== name && !above.has(step),
    );
    const column = Math.max(
      0,
      ...before.map(({ step }) => columnOf(step, new Set([...above, name])) + 1),
    );
    columns.set(name, column);
    return column;
  };
  const rows = new Map<number, number>();
  return steps.map(({ name }) => {
    const column = columnOf(name, new Set());
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { name, column, row };
  });
}
