import { describe, inject } from "vitest";
import { liveScenarios } from "../live/live-scenarios.ts";

describe("live on a real control plane", () => {
  liveScenarios(() => inject("kubeconfig"), `c${Date.now() % 100_000}`);
});
