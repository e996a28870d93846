/** Who uses what, both ways: told anew each time a user is looked at. */
export class UsedBy {
  readonly #usesOf = new Map<string, ReadonlySet<string>>();
  readonly #usersOf = new Map<string, Set<string>>();

  /** From now on a user uses just these. */
  set(user: string, uses: ReadonlySet<string>): void {
    for (const use of this.#usesOf.get(user) ?? []) {
      const users = this.#usersOf.get(use);
      users?.delete(user);
      if (users?.size === 0) this.#usersOf.delete(use);
    }
    if (uses.size === 0) this.#usesOf.delete(user);
    else this.#usesOf.set(user, uses);
    for (const use of uses) {
      const users = this.#usersOf.get(use);
      if (users === undefined) this.#usersOf.set(use, new Set([user]));
      else users.add(user);
    }
  }

  usersOf(use: string): Iterable<string> {
    return this.#usersOf.get(use) ?? [];
  }
}
