import { expect, it } from "vitest";
import { fieldAt, parseJson } from "../json/index.ts";
import { mutationAnnotation, type KubernetesObject } from "../objects/index.ts";
import { fillHole } from "./fill-hole.ts";
import { holesOf } from "./hole.ts";

const target: KubernetesObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "target",
    annotations: {
      [mutationAnnotation]:
        "- {sourceRef: {kind: ConfigMap, name: source}, sourcePath: $.count, targetPath: $.data.text, token: '{}'}",
    },
  },
  data: { text: "there are {}" },
};

it.each([
  ["a large integer", "9007199254740993"],
  ["a list of them", "[9007199254740993]"],
])("is filled with every digit of %s", (_what, value) => {
  const [hole] = holesOf(target, { isKnown: () => true });
  if (hole === undefined) throw new Error("there is no hole");
  const filled = fillHole(target, hole, parseJson(value));
  expect(fieldAt(filled, "data", "text")).toBe(`there are ${value}`);
});
