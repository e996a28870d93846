/** Stands for a function of a package that is not rewritten. */
export function foreignFunction(...values: readonly unknown[]): number {
  return values.length;
}

/** A package may export functions that have no name. */
export const unnamed: { readonly up: (text: string) => string } = {
  up: (
    () => (text: string) =>
      text.toUpperCase()
  )(),
};
