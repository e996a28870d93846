import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { blueprintScenarios } from "./blueprint-scenarios.ts";
import { stampedWriterScenarios } from "./stamped-writer-scenarios.ts";
import { takeoverScenarios } from "./takeover-scenarios.ts";

describe("supply chains on the sandbox", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-blueprints-"));
  const kubeconfig = join(folder, "kubeconfig");
  let sandbox: CreatedSandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
    writeFileSync(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  blueprintScenarios(() => kubeconfig);
  takeoverScenarios(() => kubeconfig);
  stampedWriterScenarios(() => kubeconfig);
});
