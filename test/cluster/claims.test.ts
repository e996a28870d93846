import { describe, inject } from "vitest";
import { claimScenarios } from "../live/claim-scenarios.ts";
import { managingResourcesScenarios } from "../live/managing-resources-scenarios.ts";

// One after the other: both define the same kinds.
describe("managing resources on a real control plane", () => {
  managingResourcesScenarios(() => inject("kubeconfig"));
});

describe("claims on a real control plane", () => {
  claimScenarios(() => inject("kubeconfig"));
});
