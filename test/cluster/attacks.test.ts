import { describe, inject } from "vitest";
import { bundleAttackScenarios } from "../controller/bundle-attack-scenarios.ts";
import {
  chainAttackScenarios,
  runnableAttackScenarios,
} from "../controller/chain-attack-scenarios.ts";

describe("attacks on a real control plane", () => {
  bundleAttackScenarios(() => inject("kubeconfig"));
  chainAttackScenarios(() => inject("kubeconfig"));
  runnableAttackScenarios(() => inject("kubeconfig"));
});
