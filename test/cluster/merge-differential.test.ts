/**
 * Random sequences of writes by several managers, on the real API server and through src/merge:
 * object, owners and conflicts must be the same after every step.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  applyConfiguration,
  fieldSetOf,
  keepTimestamps,
  resetFieldsOf,
  updateManagers,
} from "../../src/merge/index.ts";
import type { FieldSet } from "../../src/merge/index.ts";
import { groupOf } from "../../src/objects/index.ts";
import type { JsonObject } from "../../src/json/index.ts";
import { decodeObject, emptyObject } from "../../src/schema/index.ts";
import { ApiClient } from "./api-client.ts";
import type { ApiAnswer } from "./api-client.ts";
import { startControlPlane } from "./control-plane.ts";
import type { ControlPlane } from "./control-plane.ts";
import { mergeKinds, thingDefinition } from "./merge-kinds.ts";
import { patienceMs } from "../patience.ts";
import type { MergeKind } from "./merge-kinds.ts";

let controlPlane: ControlPlane;
let api: ApiClient;

// Controllers would write to the same objects, so this server runs without them.
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllers: false });
  api = new ApiClient(controlPlane);
  await api.send(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    thingDefinition,
  );
  const path = mergeKinds.at(-1)?.path ?? "";
  await vi.waitUntil(async () => (await api.send("GET", path)).status === 200, patienceMs);
});

afterAll(async () => {
  api.close();
  await controlPlane.stop();
});

type Operation = "apply" | "force" | "put" | "patch" | "status";

interface Step {
  readonly operation: Operation;
  readonly manager: string;
  readonly configuration: JsonObject;
  readonly status: JsonObject;
}

/** What a step did: the object without what only a server sets, and who owns what. */
interface Outcome {
  readonly status: number;
  readonly object?: unknown;
  readonly owners?: unknown;
  readonly conflicts?: readonly string[];
}

let runs = 0;

test.each(mergeKinds.map((each) => [each.kind, each] as const))(
  "%s is merged as by the server",
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
      ),
      manager: fc.constantFrom("a", "b", "kubectl"),
      configuration: kind.configuration,
      status: kind.status ?? fc.constant({}),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        runs += 1;
        const name = `run-${runs}`;
        for (const each of steps) await compareStep(kind, name, each);
      }),
      { numRuns: 60, endOnFailure: false },
    );
  },
);

async function compareStep(kind: MergeKind, name: string, step: Step): Promise<void> {
  const path = `${kind.path}/${name}`;
  const before = await api.send("GET", path);
  const live = before.status === 200 ? (before.body as JsonObject) : undefined;
  const sent = objectToSend(kind, name, step, live);
  if (sent === undefined) return;
  const answer = await send(kind, path, step, sent, live);
  // Validation is another matter, and leaves the object as it was.
  if (answer.status === 422) return;
  expect(outcomeOf(kind, name, step, sent, live)).toEqual(observed(kind, answer));
}

function objectToSend(
  kind: MergeKind,
  name: string,
  step: Step,
  live: JsonObject | undefined,
): JsonObject | undefined {
  const identity = { name, namespace: "default" };
  const base = { apiVersion: kind.apiVersion, kind: kind.kind };
  switch (step.operation) {
    case "status":
      if (live === undefined || kind.status === undefined) return undefined;
      return { ...base, metadata: identity, status: step.status };
    case "patch":
      return live === undefined ? undefined : patchOf(step.configuration);
    case "put":
    case "apply":
    case "force":
    default: {
      const { resourceVersion } = (live?.["metadata"] ?? {}) as JsonObject;
      const version = step.operation === "put" && live !== undefined ? { resourceVersion } : {};
      const metadata = {
        ...(step.configuration["metadata"] as JsonObject),
        ...identity,
        ...version,
      };
      return { ...base, ...step.configuration, metadata } as JsonObject;
    }
  }
}

/** A merge patch that removes what the configuration lacks. */
function patchOf(configuration: JsonObject): JsonObject {
  const { labels = null } = configuration["metadata"] as JsonObject;
  const { data, spec } = configuration as { data?: JsonObject; spec?: JsonObject };
  return {
    metadata: { labels },
    ...(data === undefined ? {} : { data }),
    ...(spec === undefined ? {} : { spec: { replicas: spec["replicas"] ?? null } }),
  };
}

function send(
  kind: MergeKind,
  path: string,
  step: Step,
  sent: JsonObject,
  live: JsonObject | undefined,
): Promise<ApiAnswer> {
  const query = `fieldManager=${step.manager}`;
  switch (step.operation) {
    case "apply":
      return api.apply(path, sent, step.manager, false);
    case "force":
      return api.apply(path, sent, step.manager, true);
    case "status":
      return api.apply(`${path}/status`, sent, step.manager, false);
    case "patch":
      return api.send("PATCH", `${path}?${query}`, sent, "application/merge-patch+json");
    case "put":
    default:
      return live === undefined
        ? api.send("POST", `${kind.path}?${query}`, sent)
        : api.send("PUT", `${path}?${query}`, sent);
  }
}

function outcomeOf(
  kind: MergeKind,
  name: string,
  step: Step,
  sent: JsonObject,
  live: JsonObject | undefined,
): Outcome {
  const { apiVersion, schema } = kind;
  const empty = emptyObject(schema, apiVersion, kind.kind);
  const subresource = step.operation === "status" ? "status" : "";
  const gvk = { group: groupOf(apiVersion), version: "v1", kind: kind.kind };
  const reset = resetFieldsOf(gvk, subresource, kind.hasStatus) ?? fieldSetOf();
  const resetFields = new Map<string, FieldSet>([[apiVersion, reset]]);
  const request = {
    apiVersion,
    schema,
    resetFields,
    subresource,
    manager: step.manager,
    now: "2026-01-01T00:00:00Z",
    live: live ?? empty,
  };
  const isUpdate = live !== undefined;
  if (step.operation === "put" || step.operation === "patch") {
    const next = step.operation === "put" ? sent : (mergePatch(live ?? {}, sent) as JsonObject);
    const updated = { ...decodeObject(schema, next).object, ...keptStatus(kind, live) };
    const { object } = updateManagers({ ...request, updated });
    return view(kind, isUpdate ? 200 : 201, object);
  }
  const force = step.operation === "force";
  const result = applyConfiguration({ ...request, empty, applied: sent, force });
  if (result.kind === "conflicts") {
    const conflicts = result.conflicts.map((each) => `${each.message}: ${each.field}`).sort();
    return { status: 409, conflicts };
  }
  if (result.kind === "invalid") return { status: 500 };
  const { object } = decodeObject(schema, result.object);
  const next =
    subresource === "status"
      ? { ...live, ...pick(object, "status", "metadata") }
      : { ...object, ...keptStatus(kind, live) };
  return view(kind, isUpdate ? 200 : 201, isUpdate ? keepTimestamps(live, next) : next);
}

/** The main endpoint keeps the status that is stored. */
function keptStatus(kind: MergeKind, live: JsonObject | undefined): JsonObject {
  if (!kind.hasStatus || kind.kind === "Service" || live === undefined) return {};
  return live["status"] === undefined ? {} : { status: live["status"] };
}

function pick(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])),
  );
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isMap = typeof target === "object" && target !== null && !Array.isArray(target);
  const merged: Record<string, unknown> = isMap ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

function observed(kind: MergeKind, answer: ApiAnswer): Outcome {
  const { status } = answer;
  if (status === 500) return { status };
  if (status !== 409) return view(kind, status, answer.body as JsonObject);
  const { causes } = answer.body.details as { causes: { message: string; field: string }[] };
  return { status, conflicts: causes.map((each) => `${each.message}: ${each.field}`).sort() };
}

/** The parts of an object that are compared: not what the server alone sets, and no times. */
function view(kind: MergeKind, status: number, object: JsonObject): Outcome {
  const { metadata, status: _status, ...rest } = structuredClone(object);
  const { labels, annotations, finalizers, managedFields } = metadata as Record<string, unknown>;
  const spec = rest["spec"] as JsonObject | undefined;
  for (const field of kind.allocated) delete spec?.[field];
  const owners = ((managedFields ?? []) as Record<string, unknown>[])
    .map(({ time: _time, ...entry }) => entry)
    .sort((left, right) => (ownerName(left) < ownerName(right) ? -1 : 1));
  return { status, object: { ...rest, labels, annotations, finalizers }, owners };
}

function ownerName(entry: Readonly<Record<string, unknown>>): string {
  const { manager, operation, subresource } = entry;
  return JSON.stringify([manager, operation, subresource]);
}
