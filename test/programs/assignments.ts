/** An ordinary module that assigns where reading, deciding and writing can come apart. */
interface Held {
  p?: number;
  q?: number;
  x?: number | undefined;
}
const result: unknown[] = [];
const shared: { y?: number; z?: number } = {};

/** Reading decides on something else meanwhile. */
function watched(value: number | undefined): Held {
  return {
    get x() {
      shared.y ??= 5;
      return value;
    },
    set x(next) {
      result.push(["set", next]);
      value = next;
    },
  };
}
const later = async (value: number): Promise<number> => {
  await Promise.resolve();
  return value;
};
const [one, two] = [watched(undefined), watched(1)];
result.push(
  await Promise.all([
    (async () => (one.x ??= await later(1)))(),
    (async () => (two.x &&= await later(2)))(),
    (async () => (shared.z ||= await later(3)))(),
  ]),
);
result.push(one.x, two.x, shared);

function* steps(held: Held): Generator<string, Held, number> {
  held.p ??= yield "p";
  held.q ||= yield "q";
  return held;
}
const [first, second] = [steps({}), steps({ p: 1 })];
result.push([first.next(), second.next(), first.next(10), second.next(20), first.next(30)]);

class Counter {
  static #made = 2;
  #text: string | null = null;
  #count = 1;
  static made(): number[] {
    Counter.#made += 5;
    return [(Counter.#made ||= 0), Counter.#made++, Counter.#made];
  }
  of(other: Counter, text: string): unknown[] {
    other.#text ??= text;
    other.#count++;
    ++other.#count;
    other.#count **= 2;
    other.#count += other.#count = 100;
    return [other.#text, other.#count--, other.#count, (this.#self().#count &&= 7)];
  }
  #self(): this {
    return this;
  }
}
result.push(Counter.made(), new Counter().of(new Counter(), "a"));

class Base {
  held = 1;
  get x(): number {
    return this.held;
  }
  set x(value: number) {
    this.held = value;
  }
}
class Derived extends Base {
  run(): number[] {
    super.x += 2;
    super.x ??= 9;
    super.x++;
    const inside = (): number => (super.x &&= 50);
    return [this.held, inside(), super.x--, this.held];
  }
}
result.push(new Derived().run());

const named: { f?: () => number; g?: unknown } = {};
named.f ??= () => 1;
result.push(named.f.name, JSON.stringify({ a: [1, { toJSON: () => "j" }] }, null, 1));
result.push(new Set(new Map([[1, 2]]).keys()), [1, [2, [3, [4]]]].flat(2));

export { result };
