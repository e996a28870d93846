import { expect, test } from "vitest";
import {
  addQuantities,
  canonicalQuantity,
  canonicalResource,
  compareQuantities,
  subtractQuantities,
} from "./quantity.ts";

// Observed on kube-apiserver 1.36.3: sent, stored as a plain quantity, stored in a resource list.
test.each([
  ["1000m", "1", "1"],
  ["1024Mi", "1Gi", "1Gi"],
  ["1.5Gi", "1536Mi", "1536Mi"],
  ["0.5", "500m", "500m"],
  ["1e3", "1e3", "1e3"],
  ["1500m", "1500m", "1500m"],
  ["1000k", "1M", "1M"],
  ["1536", "1536", "1536"],
  ["0.1", "100m", "100m"],
  ["100u", "100u", "1m"],
  ["1Ki", "1Ki", "1Ki"],
  ["0.0001", "100u", "1m"],
  ["1.0", "1", "1"],
  ["010", "010", "010"],
  ["+5", "+5", "+5"],
  ["5E", "5E", "5E"],
  ["1E3", "1E3", "1E3"],
  ["0Gi", "0", "0"],
  ["1000Mi", "1000Mi", "1000Mi"],
  [
    "123456789012345678901234567890",
    "123456789012345678901234567890",
    "123456789012345678901234567890",
  ],
  ["1.5", "1500m", "1500m"],
])("%s", (sent, plain, resource) => {
  expect(canonicalQuantity(sent)).toBe(plain);
  expect(canonicalResource(sent)).toBe(resource);
});

test.each(["", "x", "1x", "1.2.3", "--1", "Ki", "1 Gi"])("%j is no quantity", (text) => {
  expect(canonicalQuantity(text)).toBeUndefined();
});

test.each([
  ["1Gi", "1024Mi", 0],
  ["1", "1000m", 0],
  ["1G", "1Gi", -1],
  ["-1", "1", -1],
  ["2", "1500m", 1],
])("%s compared with %s", (left, right, expected) => {
  expect(compareQuantities(left, right)).toBe(expected);
});

test.each([
  ["1Gi", "512Mi", "1536Mi", "512Mi"],
  ["500m", "500m", "1", "0"],
  ["0", "1Gi", "1Gi", "-1Gi"],
  ["1", "1Gi", "1073741825", "-1073741823"],
  ["1Gi", "1", "1073741825", "1073741823"],
])("%s and %s", (left, right, sum, difference) => {
  expect(addQuantities(left, right)).toBe(sum);
  expect(subtractQuantities(left, right)).toBe(difference);
});
