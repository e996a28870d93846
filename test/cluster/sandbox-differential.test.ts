/**
 * Random sequences of writes by several managers, sent over HTTP to the sandbox and to the real API
 * server: the same status codes, objects and managedFields after every step.
 */
import * as fc from "fast-check";
import { testSeed } from "../test-seed.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { Normaliser } from "../conformance/normalise.ts";
import { connectKubeconfigFile, connectTarget, type Target } from "../conformance/target.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { type MergeKind, mergeKinds, thingDefinition } from "./merge-kinds.ts";
import { patienceMs } from "../patience.ts";

/** Sequences per kind; there are four kinds. */
const sequences = 15;
const seed = testSeed;

interface Side {
  readonly target: Target;
  readonly normaliser: Normaliser;
}

let controlPlane: ControlPlane;
let sandbox: CreatedSandbox;
let targets: readonly [real: Target, sandbox: Target];

// Controllers would write to the same objects, so both run without them.
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllers: false });
  sandbox = await createSandbox({ workloads: false });
  targets = [connectKubeconfigFile(controlPlane.kubeconfig), connectTarget(sandbox.kubeconfig)];
  const path = mergeKinds.at(-1)?.path ?? "";
  for (const target of targets) {
    await target.send({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(thingDefinition),
    });
    await vi.waitUntil(
      async () => (await target.send({ method: "GET", path, headers: {} })).status === 200,
      patienceMs,
    );
  }
});

afterAll(async () => {
  for (const target of targets) target.close();
  await sandbox.close();
  await controlPlane.stop();
});

type Operation = "apply" | "force" | "put" | "patch" | "status" | "delete";

interface Step {
  readonly operation: Operation;
  readonly manager: string;
  readonly configuration: JsonObject;
  readonly status: JsonObject;
  readonly dryRun: boolean;
}

let runs = 0;

test.each(mergeKinds.map((each) => [each.kind, each] as const))(
  `%s is written as on the real server (seed ${seed})`,
  async (_name, kind) => {
    const step = fc.record({
      operation: fc.constantFrom<Operation>(
        "apply",
        "apply",
        "apply",
        "force",
        "put",
        "patch",
        "status",
        "delete",
      ),
      manager: fc.constantFrom("a", "b", "kubectl"),
      configuration: kind.configuration,
      status: kind.status ?? fc.constant({}),
      dryRun: fc.constantFrom(false, false, false, true),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const name = `run-${(runs += 1)}`;
        const sides = targets.map((target) => ({ target, normaliser: new Normaliser([]) }));
        for (const each of steps) {
          const [real, ours] = await Promise.all(
            sides.map((side) => outcome(side, kind, name, each)),
          );
          expect(ours, `${each.operation} by ${each.manager}`).toEqual(real);
        }
      }),
      { numRuns: sequences, seed, endOnFailure: false },
    );
  },
);

/** What one side makes of a step: its answer, and the object that is there afterwards. */
async function outcome(side: Side, kind: MergeKind, name: string, step: Step): Promise<unknown> {
  const path = `${kind.path}/${name}`;
  const before = await send(side.target, "GET", path);
  const live = before.status === 200 ? before.body : undefined;
  const answer = await write(side.target, kind, path, step, live);
  const after = await send(side.target, "GET", path);
  return { answer: view(side, kind, answer), after: view(side, kind, after) };
}

interface Received {
  readonly status: number;
  readonly body: JsonObject;
}

async function send(
  target: Target,
  method: string,
  path: string,
  body?: JsonObject,
  contentType = "application/json",
): Promise<Received> {
  const { status, text } = await target.send({
    method,
    path,
    headers: { accept: "application/json", "content-type": contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, body: JSON.parse(text) as JsonObject };
}

function write(
  target: Target,
  kind: MergeKind,
  path: string,
  { operation, manager, configuration, status, dryRun }: Step,
  live: JsonObject | undefined,
): Promise<Received> {
  const name = path.split("/").at(-1) ?? "";
  const query = `fieldManager=${manager}${dryRun ? "&dryRun=All" : ""}`;
  const base = { apiVersion: kind.apiVersion, kind: kind.kind };
  const { resourceVersion } = (live?.["metadata"] ?? {}) as { readonly resourceVersion?: string };
  const metadata = { ...(configuration["metadata"] as JsonObject), name, namespace: "default" };
  const whole = { ...base, ...configuration, metadata } as JsonObject;
  const applyType = "application/apply-patch+yaml";
  switch (operation) {
    case "apply":
      return send(target, "PATCH", `${path}?${query}`, whole, applyType);
    case "force":
      return send(target, "PATCH", `${path}?${query}&force=true`, whole, applyType);
    case "status": {
      // The status of a service that is not there is refused by the real server in a way of its own.
      if (live === undefined) return send(target, "GET", path);
      const part = { ...base, metadata: { name, namespace: "default" }, status } as JsonObject;
      return send(target, "PATCH", `${path}/status?${query}`, part, applyType);
    }
    case "patch":
      return send(
        target,
        "PATCH",
        `${path}?${query}`,
        configuration,
        "application/merge-patch+json",
      );
    case "delete":
      return send(target, "DELETE", `${path}${dryRun ? "?dryRun=All" : ""}`);
    case "put": {
      if (live === undefined) return send(target, "POST", `${kind.path}?${query}`, whole);
      const versioned = { ...whole, metadata: { ...metadata, resourceVersion } } as JsonObject;
      return send(target, "PUT", `${path}?${query}`, versioned);
    }
  }
}

/** Of a refusal the status and the conflicts count; where the real server answers 500, only that. */
function view({ normaliser }: Side, kind: MergeKind, { status, body }: Received): unknown {
  if (body["kind"] !== "Status") {
    const object = structuredClone(body);
    const spec = object["spec"] as Record<string, unknown> | undefined;
    for (const field of kind.allocated) delete spec?.[field];
    return { status, object: normaliser.value(object) };
  }
  if (status < 300) return { status };
  const { reason, details } = body as { readonly reason?: string; readonly details?: JsonObject };
  if (status === 409)
    return { status, reason, causes: normaliser.value(details?.["causes"], "causes") };
  return { status: [400, 500].includes(status) ? "refused" : status };
}
