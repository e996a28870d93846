import { afterEach, beforeEach, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { ensureDefinition, provisionedDefinition } from "../inventory/index.ts";
import { fieldAt } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import {
  type ApplyNode,
  objectWithRecord,
  provisionedApiVersion,
  provisionedKind,
  recordOfObject,
} from "../plan/index.ts";
import { type Provider, UnusableAnswerError } from "../providers/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { provisionNode } from "./provision-node.ts";
import type { NodeContext } from "./run-plan.ts";

const name = "dev:shop:Bucket#assets";
const spec = { name, type: "Bucket", provider: "cloud", inputs: { zone: "eu" } };
const object = {
  apiVersion: provisionedApiVersion,
  kind: provisionedKind,
  metadata: { name: "assets", namespace: "default" },
  spec,
} as unknown as KubernetesObject;
const reference = { ...object, namespace: "default", name: "assets" };

let sandbox: Sandbox;
let cluster: Cluster;
beforeEach(async () => {
  sandbox = openSandbox({ workloads: false });
  cluster = clusterOver(new InProcessTransport(sandbox));
  await ensureDefinition(cluster, provisionedDefinition);
});
afterEach(() => {
  sandbox.close();
});

/** What a run says of one resource that cannot be made. */
async function failureOf(
  node: Partial<ApplyNode>,
  provider: Partial<Provider>,
  refuses: (written: KubernetesObject) => boolean = () => false,
): Promise<unknown> {
  const lost = new DiagnosticError([
    { code: "live.lease-lost", severity: "error", summary: "the Lease was lost" },
  ]);
  const context = {
    cluster: {
      ...cluster,
      apply: (written: KubernetesObject, options: Parameters<Cluster["apply"]>[1]) =>
        refuses(written) ? Promise.reject(lost) : cluster.apply(written, options),
    },
    signal: new AbortController().signal,
    emit: () => {},
    program: { providers: { provider: () => Promise.resolve(provider) } },
  } as unknown as NodeContext;
  const whole = { kind: "apply", live: undefined, object, ...node } as unknown as ApplyNode;
  const error: unknown = await provisionNode(whole, object, context).catch((each: unknown) => each);
  return error instanceof DiagnosticError ? error.diagnostics[0] : error;
}

const unusable = (): Promise<never> =>
  Promise.reject(
    new UnusableAnswerError(
      { name, where: "in the test" } as unknown as ConstructorParameters<
        typeof UnusableAnswerError
      >[0],
      "outputs is 7",
      "my bucket",
    ),
  );
const unrecorded = {
  code: "program.unrecorded-create",
  summary: `${name} was created with the id "my bucket", which could not be recorded: the Lease was lost`,
  hint: `Take it over when nobody else writes: keelson import '${name}' 'my bucket'.`,
};

it("tells the id of what was created when it cannot be recorded any more", async () => {
  const create = () => Promise.resolve({ id: "my bucket", outputs: { password: "hunter2" } });
  const isLast = (written: KubernetesObject) => fieldAt(written, "status", "phase") === "Ready";
  const said = await failureOf({}, { create }, isLast);
  expect(said).toMatchObject(unrecorded);
  expect(JSON.stringify(said)).not.toContain("hunter2");
});

it("tells it also of what was created with an answer that cannot be used", async () => {
  const isLast = (written: KubernetesObject) => fieldAt(written, "status", "phase") === "Failed";
  expect(await failureOf({}, { create: unusable }, isLast)).toMatchObject(unrecorded);
});

it("keeps what a replacement created, and what it replaces, although the answer cannot be used", async () => {
  const before = { phase: "Ready" as const, id: "old", inputs: { zone: "us" }, outputs: {} };
  const { object: live } = await cluster.apply(objectWithRecord(object, { spec, status: before }), {
    fieldManager: "keelson",
  });
  const replacement = {
    reason: "zone",
    deletesFirst: false,
  } as unknown as ApplyNode["replacement"];
  expect(await failureOf({ live, replacement }, { create: unusable })).toMatchObject({
    code: "provider.invalid-answer",
  });
  const found = await cluster.find(reference);
  expect(recordOfObject(found ?? object)?.status).toMatchObject({
    phase: "Failed",
    id: "my bucket",
    replaced: [{ id: "old", inputs: { zone: "us" } }],
  });
});
