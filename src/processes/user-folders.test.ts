import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { cacheFolder, stateFolder } from "./index.ts";

it.each([
  [{ HOME: "/home/jane", XDG_CACHE_HOME: "/cache" }, "/cache/keelson"],
  [{ HOME: "/home/jane", XDG_CACHE_HOME: "" }, "/home/jane/.cache/keelson"],
  [{ HOME: "/home/jane", XDG_CACHE_HOME: "relative" }, "/home/jane/.cache/keelson"],
  [{ USERPROFILE: "/home/jane" }, "/home/jane/.cache/keelson"],
  [{}, `${userInfo().homedir}/.cache/keelson`],
])("the cache of %j", (env, expected) => {
  expect(cacheFolder(env)).toBe(expected);
});

it.each([
  [{ HOME: "/home/a" }, "/home/a/.local/state/keelson/sandbox"],
  [{ HOME: "/home/a", XDG_STATE_HOME: "/s" }, "/s/keelson/sandbox"],
  [{ HOME: "" }, `${userInfo().homedir}/.local/state/keelson/sandbox`],
])("the state of %j", (env, expected) => {
  expect(stateFolder(env, "sandbox")).toBe(expected);
});
