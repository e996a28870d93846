import { beforeAll, describe, inject } from "vitest";
import { connectTo } from "../../src/cluster/index.ts";
import { admissionScenarios } from "../blueprints/admission-scenarios.ts";
import { blueprintScenarios } from "../blueprints/blueprint-scenarios.ts";
import { installDefinitions } from "../blueprints/blueprint-world.ts";
import { stampedWriterScenarios } from "../blueprints/stamped-writer-scenarios.ts";
import { takeoverScenarios } from "../blueprints/takeover-scenarios.ts";
import { settingsOf } from "./test-settings.ts";

describe("supply chains on a real control plane", () => {
  beforeAll(async () => {
    const cluster = connectTo(await settingsOf(inject("kubeconfig")));
    await installDefinitions(cluster);
    await cluster.close();
  });
  admissionScenarios(() => inject("kubeconfig"));
  blueprintScenarios(() => inject("kubeconfig"));
  takeoverScenarios(() => inject("kubeconfig"));
  stampedWriterScenarios(() => inject("kubeconfig"));
});
