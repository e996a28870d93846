import { describe, inject } from "vitest";
import { historyScenarios } from "../live/history-scenarios.ts";
import { hookScenarios } from "../live/hook-scenarios.ts";
import { inputScenarios } from "../live/input-scenarios.ts";
import { liveScenarios } from "../live/live-scenarios.ts";
import { migrateHelmScenarios } from "../live/migrate-helm-scenarios.ts";
import { programScenarios } from "../live/program-scenarios.ts";
import { tiltfileScenarios } from "../live/tiltfile-scenarios.ts";

describe("live on a real control plane", () => {
  const unique = `c${Date.now() % 100_000}`;
  historyScenarios(() => inject("kubeconfig"), unique);
  liveScenarios(() => inject("kubeconfig"), unique);
  inputScenarios(() => inject("kubeconfig"), unique);
  tiltfileScenarios(() => inject("kubeconfig"), unique);
  programScenarios(() => inject("kubeconfig"), unique);
  hookScenarios(() => inject("kubeconfig"), unique);
  migrateHelmScenarios(() => inject("kubeconfig"), unique);
});
