/** Stands for a function of a package that is not rewritten. */
export function foreignFunction(...values: readonly unknown[]): number {
  return values.length;
}
