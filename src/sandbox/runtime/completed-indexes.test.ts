import { expect, it } from "vitest";
import { formatIndexes, parseIndexes } from "./completed-indexes.ts";

it.each(["", "0", "0,1", "0-2", "1,3-5,7,8", "0-9"])("%j is read and written as it is", (text) => {
  expect(formatIndexes(parseIndexes(text))).toBe(text);
});
