import { describe, inject } from "vitest";
import { readinessScenarios } from "../live/readiness-scenarios.ts";

describe("readiness on a real control plane", () => {
  readinessScenarios(() => inject("kubeconfig"), `c${Date.now() % 100_000}`);
});
