type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what was not given: a directive that is silent changes nothing. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}
