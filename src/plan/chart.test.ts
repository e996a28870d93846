import { describe, expect, it } from "vitest";
import { identityOfKey, type KubernetesObject } from "../objects/index.ts";
import { chartsOf, hookEdges } from "./chart.ts";

/** `Kind name` or `Kind name hook/weight`; what comes after `@` is the call that gives it. */
function objectOf(text: string): {
  readonly object: KubernetesObject;
  readonly givenWith?: string;
} {
  const [words = "", givenWith] = text.split(" @");
  const [kind = "", name = "", hook] = words.split(" ");
  const [event = "", weight = "0"] = hook?.split("/") ?? [];
  const annotations =
    hook === undefined ? {} : { "helm.sh/hook": event, "helm.sh/hook-weight": weight };
  const object = { apiVersion: "v1", kind, metadata: { name, annotations } };
  return givenWith === undefined ? { object } : { object, givenWith };
}

function check(objects: readonly string[], expected: readonly string[], live = false): void {
  const desired = objects.map((text) => ({
    ...objectOf(text),
    file: "",
    sourceOf: () => ({ file: "", start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }),
  }));
  const charts = chartsOf(desired, { isOwned: () => live, isLive: () => live });
  const name = (key: string): string => identityOfKey(key).name;
  expect(hookEdges(charts).map(({ from, to }) => `${name(from)} after ${name(to)}`)).toEqual(
    expected,
  );
}

describe("hooks of a chart", () => {
  it("are none where no object asks for it", () => {
    check(["ConfigMap a", "Job b", "Job c crd-install"], []);
  });

  it("run one weight after the other, before and after the rest", () => {
    check(
      ["Job z pre-install/10", "Job y pre-install/-1", "ConfigMap a", "Job p post-install"],
      ["z after y", "a after z", "p after a", "p after z"],
    );
  });

  it("of one weight run side by side", () => {
    check(["Job y pre-install", "Job z pre-install", "ConfigMap a"], ["a after y", "a after z"]);
  });

  it("come after definitions and namespaces, which wait for nobody", () => {
    check(
      ["CustomResourceDefinition d", "Namespace n", "Job y pre-install", "ConfigMap a"],
      ["y after d", "y after n", "a after y"],
    );
  });

  it("may come after an install and before an upgrade", () => {
    const objects = ["Job y post-install,pre-upgrade", "ConfigMap a"];
    check(objects, ["y after a"]);
    check(objects, ["a after y"], true);
  });

  it("are of what they were given with", () => {
    check(
      ["Job y pre-install @1", "ConfigMap a @1", "ConfigMap b @2", "ConfigMap c"],
      ["a after y"],
    );
  });
});
