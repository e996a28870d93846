import { describe, expect, it } from "vitest";
import type { DiagnosticError } from "../diagnostics/index.ts";
import { requireAllowedContext } from "./allowed-context.ts";

describe("the context of a dev loop", () => {
  it.each([
    [undefined, {}, "allowed"],
    ["kind", {}, "allowed"],
    ["kind-dev", {}, "allowed"],
    ["k3d-dev", {}, "allowed"],
    ["minikube", {}, "allowed"],
    ["keelson-sandbox", {}, "allowed"],
    ["docker-desktop", {}, "allowed"],
    ["colima", {}, "allowed"],
    ["rancher-desktop", {}, "allowed"],
    ["kindergarten", {}, "refused"],
    ["prod-minikube", {}, "refused"],
    ["gke_prod_eu", {}, "refused"],
    ["gke_prod_eu", { isNamed: true }, "allowed"],
    ["team", { allowed: ["team"] }, "allowed"],
    ["team", { allowed: ["other"] }, "refused"],
  ] as const)("%s %o is %s", (context, choice, expected) => {
    const given = { context, isNamed: false, allowed: [], ...choice };
    let result = "allowed";
    try {
      requireAllowedContext(given);
    } catch (error) {
      expect((error as DiagnosticError).diagnostics[0]?.code).toBe("devloop.context");
      result = "refused";
    }
    expect(result).toBe(expected);
  });
});
