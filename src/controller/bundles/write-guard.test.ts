import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../objects/index.ts";
import { WriteGuard } from "./write-guard.ts";

const map = (colour: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "paint" },
  data: { colour, size: "5" },
});

describe("writes that do not last", () => {
  it("are given up after three, with the fields that change and never their values", () => {
    const guard = new WriteGuard();
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(guard.troubleOf("k", map("red"))).toBeUndefined();
      guard.answered("k", map("red"), map("blue"), false);
    }
    expect(guard.troubleOf("k", map("red"))).toEqual({
      isRetried: false,
      message:
        "the API server keeps changing data.colour of ConfigMap paint to something else; a webhook or another controller may do so",
    });
    // Something else is asked for: a new try.
    expect(guard.troubleOf("k", map("green"))).toBeUndefined();
  });

  it("begin anew when one lasts, and are forgotten with their bundle", () => {
    const guard = new WriteGuard();
    const fail = (): void => {
      guard.answered("b/k", map("red"), map("blue"), false);
    };
    fail();
    fail();
    guard.answered("b/k", map("red"), map("red"), true);
    fail();
    expect(guard.troubleOf("b/k", map("red"))).toBeUndefined();
    fail();
    fail();
    expect(guard.troubleOf("b/k", map("red"))).toBeDefined();
    guard.forget("b/");
    expect(guard.troubleOf("b/k", map("red"))).toBeUndefined();
  });
});
