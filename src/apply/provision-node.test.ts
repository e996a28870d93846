import { expect, it } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { ensureDefinition, provisionedDefinition } from "../inventory/index.ts";
import { fieldAt } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { type ApplyNode, provisionedApiVersion, provisionedKind } from "../plan/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { provisionNode } from "./provision-node.ts";
import type { NodeContext } from "./run-plan.ts";

const lost = new DiagnosticError([
  {
    code: "live.lease-lost",
    severity: "error",
    summary: "the Lease default/shop was lost, so this run stopped: bert has it now",
  },
]);

it("tells the id of what was created when it cannot be recorded any more", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  await ensureDefinition(cluster, provisionedDefinition);
  const object = {
    apiVersion: provisionedApiVersion,
    kind: provisionedKind,
    metadata: { name: "assets", namespace: "default" },
    spec: { name: "dev:shop:Bucket#assets", type: "Bucket", provider: "cloud", inputs: {} },
  } as unknown as KubernetesObject;
  const provider = {
    create: () => Promise.resolve({ id: "my bucket", outputs: { password: "hunter2" } }),
  };
  const context = {
    // The Lease is lost while the provider is at work.
    cluster: {
      ...cluster,
      apply: (written: KubernetesObject, options: Parameters<typeof cluster.apply>[1]) =>
        fieldAt(written, "status", "phase") === "Ready"
          ? Promise.reject(lost)
          : cluster.apply(written, options),
    },
    signal: new AbortController().signal,
    emit: () => {},
    program: { providers: { provider: () => Promise.resolve(provider) } },
  } as unknown as NodeContext;
  const node = { kind: "apply", live: undefined, object } as unknown as ApplyNode;
  const error: unknown = await provisionNode(node, object, context).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(DiagnosticError);
  const [diagnostic] = (error as DiagnosticError).diagnostics;
  expect(diagnostic).toMatchObject({
    code: "program.unrecorded-create",
    summary:
      'dev:shop:Bucket#assets was created with the id "my bucket", which could not be recorded: the Lease default/shop was lost, so this run stopped: bert has it now',
    hint: "Take it over when nobody else writes: keelson import 'dev:shop:Bucket#assets' 'my bucket'.",
  });
  expect(JSON.stringify(diagnostic)).not.toContain("hunter2");
  sandbox.close();
});
