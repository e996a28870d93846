import { describe, inject } from "vitest";
import { bundleScenarios } from "../controller/bundle-scenarios.ts";
import { rotationScenarios } from "../controller/rotation-scenarios.ts";

describe("the controller on a real control plane", () => {
  bundleScenarios(() => inject("kubeconfig"));
  rotationScenarios(() => inject("kubeconfig"));
});
