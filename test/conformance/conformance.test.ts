import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { conformanceCases } from "./cases/index.ts";
import { readRecorded } from "./recorded.ts";
import { runCase } from "./run-case.ts";
import { connectKubeconfigFile, connectTarget, type Target } from "./target.ts";

const isOwnControlPlane = (process.env["KEELSON_TEST_KUBECONFIG"] ?? "") === "";
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
          it.concurrent(each.name, async () => {
            const id = `${group.replaceAll(/[^a-z]/g, "")}${index}y${Date.now() % 100_000}`;
            const results = await runCase(targets[side], each, id, { leavesNamespace });
            expect(results).toEqual(recorded[each.name]);
          });
        }
      });
    }
  });
}
