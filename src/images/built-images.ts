const mostRemembered = 2_000;

/**
 * What has been built, or is being built, by the name that stands for its content: nothing is built
 * twice, and whoever needs what another is building waits for that.
 */
export class BuiltImages {
  readonly #building = new Map<string, Promise<string>>();
  readonly #names = new Map<string, string>();

  /** What the cluster calls an image that has been built. */
  nameOf(reference: string): string | undefined {
    return this.#names.get(reference);
  }

  /** The build of an image, if there is or was one that has not failed. */
  building(reference: string): Promise<string> | undefined {
    return this.#building.get(reference);
  }

  build(reference: string, work: () => Promise<string>): Promise<string> {
    const known = this.#building.get(reference);
    if (known !== undefined) return known;
    const building = work();
    this.#building.set(reference, building);
    building.then(
      (name) => {
        this.#names.set(reference, name);
        this.#forgetOldest();
      },
      // What failed may be tried again.
      () => this.#building.delete(reference),
    );
    return building;
  }

  #forgetOldest(): void {
    const [oldest] = this.#names.keys();
    if (this.#names.size <= mostRemembered || oldest === undefined) return;
    this.#names.delete(oldest);
    this.#building.delete(oldest);
  }
}
