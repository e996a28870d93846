import { describe, inject } from "vitest";
import { claimScenarios } from "../live/claim-scenarios.ts";

describe("claims on a real control plane", () => {
  claimScenarios(() => inject("kubeconfig"));
});
