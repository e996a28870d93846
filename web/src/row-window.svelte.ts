/** More rows than this are not all in the page at once. */
export const mostRows = 200;
const spareRows = 15;

/** Which rows of a long table are near what is seen; all of them have the same height. */
export class RowWindow {
  #top = $state(0);
  #height = $state(0);
  readonly #rowHeight: () => number;

  constructor(rowHeight: () => number) {
    this.#rowHeight = rowHeight;
  }

  /** Where the first row is in the window, and how high that is; told whenever it moves. */
  look(body: HTMLElement | null | undefined): void {
    // A table that has gone is bound to null.
    if (body === undefined || body === null) return;
    this.#top = Math.max(0, -body.getBoundingClientRect().top);
    this.#height = innerHeight;
  }

  of(count: number): { readonly first: number; readonly end: number; readonly isWhole: boolean } {
    if (count <= mostRows) return { first: 0, end: count, isWhole: true };
    const rows = Math.ceil(this.#height / this.#rowHeight()) + 2 * spareRows;
    const first = Math.max(
      0,
      Math.min(count - rows, Math.floor(this.#top / this.#rowHeight()) - spareRows),
    );
    return { first, end: Math.min(count, first + rows), isWhole: false };
  }
}
