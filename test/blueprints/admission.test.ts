import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { connectTo } from "../../src/cluster/index.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { admissionScenarios } from "./admission-scenarios.ts";
import { installDefinitions } from "./blueprint-world.ts";

describe("admission on the sandbox", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-admission-"));
  const kubeconfig = join(folder, "kubeconfig");
  let sandbox: CreatedSandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
    writeFileSync(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
    const cluster = connectTo(await settingsOf(kubeconfig));
    await installDefinitions(cluster);
    await cluster.close();
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  admissionScenarios(() => kubeconfig);
});
