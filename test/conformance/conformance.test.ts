import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { conformanceCases } from "./cases/index.ts";
import { readRecorded } from "./recorded.ts";
import { runCase } from "./run-case.ts";
import { connectKubeconfigFile, connectTarget, type Target } from "./target.ts";

const isOwnControlPlane = (process.env["KEELSON_TEST_KUBECONFIG"] ?? "") === "";

/**
 * The real server's admission hears of quotas, policies and namespaces by watches of its own, and nothing
 * shows how far these have come: there, such a case counts by what it does when they have.
 */
const ofAdmission: ReadonlySet<string> = new Set([
  "quotas",
  "limit-ranges",
  "priorities",
  "validating-policies",
  "mutating-policies",
  "webhooks",
]);
let sandbox: CreatedSandbox;
let targets: Readonly<Record<"sandbox" | "control plane", Target>>;

beforeAll(async () => {
  sandbox = await createSandbox();
  targets = {
    sandbox: connectTarget(sandbox.kubeconfig),
    "control plane": connectKubeconfigFile(inject("kubeconfig")),
  };
});

afterAll(async () => {
  for (const target of Object.values(targets)) target.close();
  await sandbox.close();
});

for (const side of ["sandbox", "control plane"] as const) {
  const leavesNamespace = side === "control plane" && isOwnControlPlane;
  describe(`conformance of the ${side}`, () => {
    for (const [group, cases] of Object.entries(conformanceCases)) {
      const recorded = readRecorded(group);
      describe(group, () => {
        for (const [index, each] of cases.entries()) {
          if (side === "control plane" && each.sandboxOnly !== undefined) continue;
          const tries = side === "control plane" && ofAdmission.has(group) ? 3 : 1;
          it.concurrent(each.name, { retry: tries - 1 }, async () => {
            const id = `${group.replaceAll(/[^a-z]/g, "")}${index}y${Date.now() % 100_000}`;
            const results = await runCase(targets[side], each, id, { leavesNamespace });
            expect(results).toEqual(recorded[each.name]);
          });
        }
      });
    }
  });
}
