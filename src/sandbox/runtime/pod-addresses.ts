const first = 2;
const last = 65_533;

/** Hands out the addresses of pods; each belongs to one pod until that is gone. */
export class PodAddresses {
  readonly #byUid = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = first;

  addressOf(uid: string, current: string | undefined): string {
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    const address = current ?? this.#free();
    this.#byUid.set(uid, address);
    this.#taken.add(address);
    return address;
  }

  release(uid: string): void {
    const address = this.#byUid.get(uid);
    if (address === undefined) return;
    this.#byUid.delete(uid);
    this.#taken.delete(address);
  }

  /** Goes round, so that the address of a pod that has gone is not at once another's. */
  #free(): string {
    for (let tried = first; tried <= last; tried++) {
      const number = this.#next;
      this.#next = number >= last ? first : number + 1;
      const address = `10.244.${number >>> 8}.${number & 0xff}`;
      if (!this.#taken.has(address)) return address;
    }
    return "10.244.255.254";
  }
}
