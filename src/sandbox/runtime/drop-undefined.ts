/** An object without the fields that are undefined: absent, as the API has it. */
export function dropUndefined<T extends object>(
  object: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
