import { expect, it } from "vitest";
import { cacheFolder } from "./index.ts";

it.each([
  [{ XDG_CACHE_HOME: "/cache" }, "/cache/keelson"],
  [{ XDG_CACHE_HOME: "" }, "/home/jane/.cache/keelson"],
  [{}, "/home/jane/.cache/keelson"],
])("%j", (env, expected) => {
  expect(cacheFolder(env, "/home/jane")).toBe(expected);
});
