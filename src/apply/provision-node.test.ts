import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { ensureDefinition, provisionedDefinition } from "../inventory/index.ts";
import { fieldAt, type JsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import {
  type ApplyNode,
  objectWithRecord,
  type ProvisionedStatus,
  provisionedApiVersion,
  provisionedKind,
  recordOfObject,
} from "../plan/index.ts";
import { type Provider, UnusableAnswerError } from "../providers/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { provisionNode, unprovision } from "./provision-node.ts";
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

function contextOf(
  provider: Partial<Provider>,
  refuses: (written: KubernetesObject) => boolean = () => false,
): NodeContext {
  const lost = new DiagnosticError([
    { code: "live.lease-lost", severity: "error", summary: "the Lease was lost" },
  ]);
  return {
    cluster: {
      ...cluster,
      apply: (written: KubernetesObject, options: Parameters<Cluster["apply"]>[1]) =>
        refuses(written) ? Promise.reject(lost) : cluster.apply(written, options),
    },
    signal: new AbortController().signal,
    emit: () => {},
    program: { providers: { provider: () => Promise.resolve(provider) } },
  } as unknown as NodeContext;
}

/** What a run says of one resource that cannot be made. */
async function failureOf(
  node: Partial<ApplyNode>,
  provider: Partial<Provider>,
  refuses?: (written: KubernetesObject) => boolean,
): Promise<unknown> {
  const context = contextOf(provider, refuses);
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
    inputs: { zone: "eu" },
    replaced: [{ id: "old", inputs: { zone: "us" } }],
  });
});

describe("what an interrupted run left", () => {
  const us: JsonObject = { zone: "us" };
  const eu: JsonObject = { zone: "eu" };

  /** A provider with what it has, by id, that keeps what it is asked to do. */
  function cloud(things: Record<string, JsonObject>): {
    readonly provider: Provider;
    readonly calls: readonly string[];
  } {
    const calls: string[] = [];
    let made = 0;
    const provider: Provider = {
      create: (inputs) => {
        const id = `new-${++made}`;
        calls.push(`create ${id} ${zoneOf(inputs)}`);
        things[id] = inputs;
        return Promise.resolve({ id, outputs: {} });
      },
      read: (id) => Promise.resolve(things[id]),
      update: (id, _old, inputs) => {
        calls.push(`update ${id} ${zoneOf(inputs)}`);
        things[id] = inputs;
        return Promise.resolve({});
      },
      delete: (id) => {
        calls.push(`delete ${id}`);
        Reflect.deleteProperty(things, id);
        return Promise.resolve();
      },
      find: (inputs) => {
        const [found] =
          Object.entries(things).find(([, own]) => own["zone"] === inputs["zone"]) ?? [];
        return Promise.resolve(found === undefined ? undefined : { id: found, outputs: {} });
      },
    };
    return { provider, calls };
  }

  /** A record as a run left it that wanted some inputs. */
  async function left(inputs: JsonObject, status: ProvisionedStatus): Promise<KubernetesObject> {
    const record = objectWithRecord(object, { spec: { ...spec, inputs }, status });
    return (await cluster.apply(record, { fieldManager: "keelson" })).object;
  }

  /** Applies the resource in the zone eu; says what its provider did, and what is recorded. */
  async function applied(
    live: KubernetesObject,
    things: Record<string, JsonObject>,
    inPlace = true,
  ): Promise<object> {
    const { provider, calls } = cloud(things);
    const diff = { changes: ["zone"], replace: inPlace ? [] : ["zone"] };
    const whole = { kind: "apply", live, object } as unknown as ApplyNode;
    const context = contextOf({ ...provider, diff: () => Promise.resolve(diff) });
    const { object: saved } = await provisionNode(whole, object, context);
    const { phase, id, replaced = [] } = recordOfObject(saved)?.status ?? {};
    return { calls, phase, id, replaced: replaced.map((each) => each.id) };
  }

  it("is found by what that run wanted, not by what is wanted now", async () => {
    const live = await left(us, { phase: "Creating" });
    expect(await applied(live, { old: us })).toEqual({
      calls: ["update old eu"],
      phase: "Ready",
      id: "old",
      replaced: [],
    });
  });

  it("is replaced where it cannot be changed", async () => {
    const live = await left(us, { phase: "Creating" });
    expect(await applied(live, { old: us }, false)).toEqual({
      calls: ["create new-1 eu"],
      phase: "Ready",
      id: "new-1",
      replaced: ["old"],
    });
  });

  it("is kept when a replacement had been made and the old inputs are wanted again", async () => {
    const live = await left(us, { phase: "Replacing", id: "old", inputs: eu });
    expect(await applied(live, { old: eu, other: us })).toEqual({
      calls: ["update other eu"],
      phase: "Ready",
      id: "other",
      replaced: ["old"],
    });
  });

  it("is made anew when it was to be deleted, and is gone", async () => {
    const live = await left(eu, { phase: "Deleting", id: "old", inputs: eu });
    expect(await applied(live, {})).toMatchObject({ calls: ["create new-1 eu"], id: "new-1" });
  });

  it("keeps what earlier replacements left to be deleted", async () => {
    const replaced = [{ id: "older", inputs: us }];
    const live = await left(eu, { phase: "Creating", replaced });
    expect(await applied(live, { old: eu })).toMatchObject({ id: "old", replaced: ["older"] });
  });

  it("is told from an older one just like it that was still to be deleted", async () => {
    const replaced = [{ id: "older", inputs: eu }];
    const live = await left(eu, { phase: "Creating", replaced });
    const found = await applied(live, { older: eu, old: eu });
    expect(found).toMatchObject({ calls: ["delete older"], id: "old", replaced: [] });
  });

  it("is deleted with its record, as far as its provider can find it", async () => {
    const live = await left(us, { phase: "Creating", replaced: [{ id: "older", inputs: us }] });
    const { provider, calls } = cloud({ old: us });
    await unprovision(live, contextOf(provider));
    expect(calls).toEqual(["delete older", "delete old"]);
  });

  it("is not forgotten where its provider cannot tell", async () => {
    const live = await left(us, { phase: "Creating" });
    const { find: _none, ...provider } = cloud({ old: us }).provider;
    await expect(unprovision(live, contextOf(provider))).rejects.toThrow("was interrupted");
  });
});

it("finds what an interrupted run made with secret inputs, and changes it from those", async () => {
  const made = { password: "hunter2", zone: "eu" };
  const secretive = (password: string): KubernetesObject => ({
    ...object,
    spec: { ...spec, inputs: { ...made, password }, secret: ["password"] },
  });
  const asked: unknown[] = [];
  const provider: Partial<Provider> = {
    create: () => Promise.reject(new DiagnosticError([{ ...crashed }])),
    find: (inputs) => {
      asked.push(["find", inputs]);
      return Promise.resolve({ id: "1", outputs: {} });
    },
    update: (_id, before, after) => {
      asked.push(["update", before, after]);
      return Promise.reject(new DiagnosticError([{ ...crashed }]));
    },
  };
  const apply = async (password: string): Promise<void> => {
    const live = await cluster.find(reference);
    const node = { kind: "apply", live, object: secretive(password) } as unknown as ApplyNode;
    await provisionNode(node, secretive(password), contextOf(provider)).catch(() => undefined);
  };
  await apply("hunter2");
  await apply("hunter3");
  await apply("hunter4");
  expect(asked).toEqual([
    ["find", made],
    ["update", made, { ...made, password: "hunter3" }],
    ["update", made, { ...made, password: "hunter4" }],
  ]);
  expect(JSON.stringify(await cluster.get(reference))).not.toContain("hunter");
});

const crashed = { code: "provider.crashed", severity: "error", summary: "it ended" } as const;

it("repeats no secret that it was given, in its log, its error or its record", async () => {
  const secretSpec = { ...spec, inputs: { password: "hunter2", zone: "eu" }, secret: ["password"] };
  const secretive = { ...object, spec: secretSpec } as unknown as KubernetesObject;
  const said: unknown[] = [];
  const provider: Partial<Provider> = {
    create: (inputs, { log }) => {
      log(`with ${textOf(inputs["password"])}`);
      return Promise.reject(
        new DiagnosticError([
          {
            code: "provider.failed",
            severity: "error",
            summary: `no ${textOf(inputs["password"])}`,
            detail: `${textOf(inputs["password"])} in eu`,
            cause: new Error(textOf(inputs["password"])),
          },
        ]),
      );
    },
  };
  const context = { ...contextOf(provider), emit: (event: unknown) => void said.push(event) };
  const node = { kind: "apply", live: undefined, object: secretive } as unknown as ApplyNode;
  const error: unknown = await provisionNode(node, secretive, context).catch(
    (each: unknown) => each,
  );
  if (!(error instanceof DiagnosticError)) throw new Error("it did not fail");
  expect(error.message).toBe("no ***");
  expect(error.diagnostics[0]).toMatchObject({ summary: "no ***", detail: "*** in eu" });
  const record = await cluster.get(reference);
  expect(JSON.stringify([said, inspect(error), record])).not.toContain("hunter2");
  expect(JSON.stringify(said)).toContain("with ***");
  expect(recordOfObject(record)?.status).toMatchObject({ phase: "Failed", message: "no ***" });
});

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function zoneOf({ zone }: JsonObject): string {
  return typeof zone === "string" ? zone : "";
}
