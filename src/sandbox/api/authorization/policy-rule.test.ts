import { describe, expect, it } from "vitest";
import { type AccessTarget, type PolicyRule, ruleAllows } from "./policy-rule.ts";

const words = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));

/** `get apps deployments/scale a` asks for that subresource of the object `a`. */
function target(text: string): AccessTarget {
  const [verb = "", group = "", part = "", name = ""] = text.split(" ");
  if (group.startsWith("/")) return { kind: "path", verb, path: group };
  const [resource = "", subresource = ""] = part.split("/");
  const apiGroup = group === "core" ? "" : group;
  return { kind: "resource", verb, group: apiGroup, resource, subresource, namespace: "n", name };
}

function rule(verbs: string, groups: string, resources: string, names = ""): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === "core" ? "" : group)),
    resources: words(resources),
    resourceNames: words(names),
  };
}

const cases: readonly (readonly [rule: PolicyRule, asked: string, allowed: boolean])[] = [
  [rule("get", "core", "pods"), "get core pods", true],
  [rule("get", "core", "pods"), "list core pods", false],
  [rule("get", "core", "pods"), "get apps pods", false],
  [rule("get", "core", "pods"), "get core pods/log", false],
  [rule("get", "core", "pods/log"), "get core pods/log", true],
  [rule("get", "*", "*/scale"), "get apps deployments/scale", true],
  [rule("get", "*", "*/scale"), "get apps deployments", false],
  [rule("*", "*", "*"), "delete apps deployments/scale", true],
  [rule("get", "core", "pods", "a b"), "get core pods b", true],
  [rule("get", "core", "pods", "a b"), "get core pods c", false],
  [rule("list", "core", "pods", "a"), "list core pods", false],
  [{ verbs: ["get"], nonResourceURLs: ["/api/*"] }, "get /api/v1", true],
  [{ verbs: ["get"], nonResourceURLs: ["/api/*"] }, "get /apis", false],
  [{ verbs: ["get"], nonResourceURLs: ["*"] }, "get /metrics", true],
  [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }, "post /healthz", false],
];

describe("a rule", () => {
  for (const [policy, asked, allowed] of cases) {
    it(`${JSON.stringify(policy)} ${allowed ? "allows" : "does not allow"} ${asked}`, () => {
      expect(ruleAllows(policy, target(asked))).toBe(allowed);
    });
  }
});
