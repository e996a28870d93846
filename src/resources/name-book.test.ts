import * as fc from "fast-check";
import { expect, test } from "vitest";
import { NameBook } from "./name-book.ts";
import type { NameRequest } from "./name-book.ts";

const ids = fc.constantFrom("a", "b", "eu", "2", "3");

const requests: fc.Arbitrary<NameRequest> = fc.record({
  scope: fc.record({
    env: fc.constant("dev"),
    module: fc.constantFrom("shop:main", "shop:parts"),
    class: fc.constantFrom(undefined, "Shop"),
    type: fc.constantFrom("keelson:k8s/Pod", "shop:main/Shop"),
  }),
  explicitId: fc.option(ids, { nil: undefined }),
  globalId: fc.constant(undefined),
  around: fc.option(fc.constantFrom({ id: "eu", isNumber: false }, { id: "2", isNumber: true }), {
    nil: undefined,
  }),
});

function namesOf(list: readonly NameRequest[]): readonly string[] {
  const book = new NameBook();
  return list.map((request) => book.give(request).name);
}

test("a name is given once, unless the book says that it is taken", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 30 }), (list) => {
      const book = new NameBook();
      const given = list.map((request) => book.give(request));
      const free = given.filter(({ isTaken }) => !isTaken).map(({ name }) => name);
      expect(new Set(free).size).toBe(free.length);
    }),
  );
});

test("names of one scope do not depend on what is allocated in others", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 30 }), (list) => {
      const inClass = (request: NameRequest): boolean => request.scope.class === "Shop";
      const all = namesOf(list).filter((_, index) => inClass(list[index] as NameRequest));
      expect(all).toEqual(namesOf(list.filter(inClass)));
    }),
  );
});

test("a name with an id does not depend on the order of allocation", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 30 }), (list) => {
      const withIds = list.filter(({ explicitId }) => explicitId !== undefined);
      expect(namesOf(withIds.toReversed()).toReversed()).toEqual(namesOf(withIds));
    }),
  );
});
