import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openProviders, type Provider, type ProviderContext } from "../../src/providers/index.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-in-process-"));
writeFileSync(
  join(folder, "package.json"),
  '{ "name": "odd", "type": "module", "keelson": { "provider": "./provider.js" } }',
);
// Which answer is given is an input: one module shows every way to misbehave.
writeFileSync(
  join(folder, "provider.js"),
  `const itself = {};
itself.itself = itself;
const made = (outputs) => ({ id: "made", outputs });
const kept = made({ list: [1] });
const answers = {
  fine: () => made({ big: 12345678901234567890n, nothing: undefined, list: [1, "2", null, true] }),
  kept: () => kept,
  throws: () => { throw new Error("no such bucket"); },
  "throws-text": () => { throw "out of luck"; },
  "throws-nothing": () => { throw undefined; },
  rejects: async () => { throw new AggregateError([new Error("one way"), new Error("another")]); },
  date: () => made({ at: { when: new Date(0) } }),
  function: () => made({ run: () => {} }),
  nan: () => made({ sizes: [1, NaN] }),
  cycle: () => made(itself),
  nothing: () => {},
  never: () => new Promise(() => {}),
  obeys: (_inputs, { signal }) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped")));
  }),
  late: (_inputs, { signal }) => new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(made({ late: true })));
  }),
  spoils: (inputs) => { inputs.list.push("spoilt"); return made({}); },
  secret: () => ({ ...made({ a: "b" }), secrets: ["a"] }),
  "odd-secret": () => ({ ...made({}), secrets: "a" }),
};
export default {
  create: async (inputs, context) => answers[inputs.answer](inputs, context),
  read: async () => undefined,
  update: async () => ({}),
  delete: async () => {},
  check: (inputs) => answers.throws(),
  diff: async (oldInputs) => oldInputs.answer,
  fetchLog: (id) => id === "none" ? undefined : lines(),
  fetchStats: async (id) => id === "odd" ? [{ name: "n", unit: "u", points: [{ timeMs: "1", value: 2 }] }] : 7,
};
async function* lines() {
  yield { text: "one" };
  yield { words: "two" };
}
`,
);
const host = openProviders({
  projectFolder: folder,
  environment: {},
  timeouts: { create: 50, cancel: 50 },
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

const context: ProviderContext = {
  type: "odd:index/Thing",
  name: "a",
  signal: new AbortController().signal,
  log: () => {},
};
const unusable =
  'creating a: the provider of the package "odd" gave an answer that cannot be used: ';

describe("a provider in this process", () => {
  it.each([
    ["throws", "creating a failed: no such bucket"],
    ["throws-text", "creating a failed: out of luck"],
    ["throws-nothing", "creating a failed: undefined"],
    ["rejects", "creating a failed: one way"],
    ["date", `${unusable}outputs.at.when is a Date, which is not JSON`],
    ["function", `${unusable}outputs.run is a function, which is not JSON`],
    ["nan", `${unusable}outputs.sizes[1] is NaN, which is not JSON`],
    ["nothing", `${unusable}expected { id, outputs }, found nothing`],
    ["odd-secret", `${unusable}secrets is a string, not a list of texts`],
    ["never", 'creating a: the provider of the package "odd" did not answer within 50 ms'],
    ["obeys", 'creating a: the provider of the package "odd" did not answer within 50 ms'],
  ])("that answers %s", async (answer, message) => {
    const provider = await host.provider("odd");
    await expect(provider.create({ answer }, context)).rejects.toThrow(message);
  });

  it("that answers with what refers to itself", async () => {
    const provider = await host.provider("odd");
    await expect(provider.create({ answer: "cycle" }, context)).rejects.toThrow(
      /outputs(?:\.itself)+ is nested too deeply or refers to itself$/,
    );
  });

  it("gives plain data of its own", async () => {
    const provider = await host.provider("odd");
    expect(await provider.create({ answer: "fine" }, context)).toStrictEqual({
      id: "made",
      outputs: { big: 12345678901234567890n, list: [1, "2", null, true] },
    });
    const first = await provider.create({ answer: "kept" }, context);
    (first.outputs["list"] as number[]).push(2);
    const second = await provider.create({ answer: "kept" }, context);
    expect(second.outputs).toEqual({ list: [1] });
  });

  it("marks secrets", async () => {
    const provider = await host.provider("odd");
    expect((await provider.create({ answer: "secret" }, context)).secrets).toEqual(["a"]);
  });

  it("cannot change what it is given", async () => {
    const provider = await host.provider("odd");
    const inputs = { answer: "spoils", list: ["fine"] };
    await provider.create(inputs, context);
    expect(inputs.list).toEqual(["fine"]);
  });

  it("that answers only when it is told to stop has not made things in vain", async () => {
    const provider = await host.provider("odd");
    expect(await provider.create({ answer: "late" }, context)).toEqual({
      id: "made",
      outputs: { late: true },
    });
  });

  it("may be given another time for a single call", async () => {
    const provider = await host.provider("odd");
    await expect(
      provider.create({ answer: "never" }, { ...context, timeoutMs: 20 }),
    ).rejects.toThrow("did not answer within 20 ms");
  });

  it("is stopped with its host", async () => {
    const controller = new AbortController();
    const stopped = openProviders({
      projectFolder: folder,
      environment: {},
      signal: controller.signal,
    });
    const creating = (await stopped.provider("odd")).create({ answer: "obeys" }, context);
    controller.abort();
    await expect(creating).rejects.toThrow("creating a was interrupted");
    await stopped.close();
  });

  it.each<readonly [string, (provider: Provider) => Promise<unknown> | undefined, string]>([
    [
      "check that throws",
      (provider) => provider.check?.({}, context),
      "checking the inputs of a failed: no such bucket",
    ],
    [
      "diff without changes",
      (provider) => provider.diff?.({ answer: {} }, {}, context),
      "changes is nothing, not a list of texts",
    ],
    [
      "diff with odd replacements",
      (provider) => provider.diff?.({ answer: { changes: [], replace: [1] } }, {}, context),
      "replace is a list, not a list of texts",
    ],
    [
      "diff with an odd order",
      (provider) =>
        provider.diff?.({ answer: { changes: [], deleteBeforeReplace: "no" } }, {}, context),
      "deleteBeforeReplace is a string, not true or false",
    ],
    [
      "numbers that are none",
      (provider) => provider.fetchStats?.("odd", context),
      "a point of n is not { timeMs, value } in numbers",
    ],
    [
      "a number instead of a list",
      (provider) => provider.fetchStats?.("x", context),
      "expected a list of { name, unit, points }, found a number",
    ],
    [
      "no log",
      (provider) => lastLine(provider, "none"),
      "reading the log of a failed: fetchLog gave nothing, not lines",
    ],
    [
      "a log with odd lines",
      (provider) => lastLine(provider, "x"),
      "expected lines { text, timeMs }, found an object",
    ],
  ])("has %s", async (_title, call, message) => {
    const provider = await host.provider("odd");
    await expect(call(provider)).rejects.toThrow(message);
  });
});

async function lastLine(provider: Provider, id: string): Promise<string> {
  let last = "";
  for await (const { text } of provider.fetchLog?.(id, { follow: false }, context) ?? [])
    last = text;
  return last;
}
