import { expect, test } from "vitest";
import type { KubernetesObject } from "../../objects/index.ts";
import type { StepResult } from "../realize/step-result.ts";
import { hideSecrets } from "./hide-secrets.ts";

const secret: KubernetesObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "hidden" },
  data: { password: Buffer.from("hunter2").toString("base64"), short: "YQ==" },
};

const result: StepResult = {
  step: { name: "a" } as StepResult["step"],
  actions: [],
  submitted: { status: "False", reason: "Refused", message: "ytt failed: hunter2 is no number" },
  output: { kind: "config", config: { url: "db://aHVudGVyMg==@host" } },
  realized: undefined,
  health: { status: "False", reason: "MatchedField", message: "field value: hunter2" },
  keeps: undefined,
};

test("what steps say and emit is shown without the values of stamped Secrets", () => {
  const [hidden] = hideSecrets([result], [secret]);
  expect(hidden?.submitted.message).toBe("ytt f***iled: *** is no number");
  expect(hidden?.health?.message).toBe("field v***lue: ***");
  expect(hidden?.output?.secretVersion).toBe("handed on");
});

test("without Secrets everything is shown, and what holds none of their values", () => {
  expect(hideSecrets([result], [])).toEqual([result]);
  const other: StepResult = { ...result, output: { kind: "image", image: "a:1" } };
  expect(hideSecrets([other], [secret])[0]?.output).toEqual({ kind: "image", image: "a:1" });
});
