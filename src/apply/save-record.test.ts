import { expect, it } from "vitest";
import { ensureDefinition, provisionedDefinition } from "../inventory/index.ts";
import { fieldAt } from "../json/index.ts";
import { provisionedApiVersion, provisionedKind } from "../plan/index.ts";
import { withSecrets } from "../prepare/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { inProcessCluster } from "../sandbox/in-process-cluster.ts";
import { saveRecord } from "./save-record.ts";

it("keeps every digit of integers, of secret ones, too", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = inProcessCluster(sandbox, { namespace: "default" });
  await ensureDefinition(cluster, provisionedDefinition);
  const pin = 9007199254740993n;
  const saved = await saveRecord(
    cluster,
    {
      apiVersion: provisionedApiVersion,
      kind: provisionedKind,
      metadata: { name: "safe", namespace: "default" },
    },
    {
      spec: {
        name: "dev:shop:Safe#safe",
        type: "Safe",
        provider: "bank",
        inputs: {},
        secret: ["pin"],
      },
      status: { phase: "Ready", inputs: {}, outputs: { pin, boxes: pin } },
    },
  );
  expect(fieldAt(saved, "status", "outputs")).toMatchObject({ pin: { $secret: "outputs.pin" } });
  const whole = await withSecrets(cluster, saved);
  expect(fieldAt(whole, "status", "outputs")).toEqual({ pin, boxes: pin });
  await cluster.close();
  sandbox.close();
});
