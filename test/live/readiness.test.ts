import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { readinessScenarios } from "./readiness-scenarios.ts";

describe("readiness on the sandbox", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-readiness-"));
  const kubeconfig = join(folder, "kubeconfig");
  let sandbox: CreatedSandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
    writeFileSync(kubeconfig, sandbox.kubeconfig);
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  readinessScenarios(() => kubeconfig, "s");
});
