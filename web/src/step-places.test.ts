import { expect, it } from "vitest";
import { stepPlaces } from "./step-places.ts";

/** `c<a,b` takes from a and b. */
function check(written: string, expected: string): void {
  const steps = written.split(" ").map((word) => {
    const [name = "", from = ""] = word.split("<");
    return { name, takes: from === "" ? [] : from.split(",").map((step) => ({ step })) };
  });
  const places = stepPlaces(steps).map(({ name, column, row }) => `${name}@${column}.${row}`);
  expect(places.join(" ")).toBe(expected);
}

it("goes from left to right", () => {
  check("source tests<source image<tests", "source@0.0 tests@1.0 image@2.0");
});

it("puts what is independent below each other, and what takes both to the right of both", () => {
  check("a b c<a d<c,b", "a@0.0 b@0.1 c@1.0 d@2.0");
});

it("does not mind what is written in another order, missing or waiting for each other", () => {
  check("image<source source", "image@1.0 source@0.0");
  check("image<gone", "image@0.0");
  check("a<b b<a c<c", "a@1.0 b@0.0 c@0.1");
});
