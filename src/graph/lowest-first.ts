/** Numbers of which always the lowest is taken next. */
export class LowestFirst {
  readonly #heap: number[] = [];

  add(number: number): void {
    const heap = this.#heap;
    let index = heap.push(number) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= number) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = number;
  }

  take(): number | undefined {
    const heap = this.#heap;
    const [lowest] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return lowest;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const right = heap[child + 1] ?? Number.POSITIVE_INFINITY;
      const smaller = right < (heap[child] ?? 0) ? child + 1 : child;
      const below = heap[smaller] ?? 0;
      if (below >= last) break;
      heap[index] = below;
      index = smaller;
    }
    heap[index] = last;
    return lowest;
  }
}
