import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { DiagnosticError, renderDiagnostics } from "../../src/diagnostics/index.ts";
import type { JsonValue } from "../../src/json/index.ts";
import {
  type LogLine,
  openProviders,
  type Provider,
  type ProviderContext,
  type ProviderTimeouts,
  UnusableAnswerError,
} from "../../src/providers/index.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-faults-"));
const packageFolder = join(folder, "node_modules", "faulty");
const script = join(import.meta.dirname, "faulty-provider.mjs");
mkdirSync(packageFolder, { recursive: true });
writeFileSync(
  join(packageFolder, "package.json"),
  JSON.stringify({
    name: "faulty",
    keelson: { provider: { command: [process.execPath, script] } },
  }),
);
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;

interface World {
  readonly provider: Provider;
  readonly context: ProviderContext;
  readonly lines: readonly string[];
  /** What is in the provider's store, whatever it answered. */
  readonly store: () => Record<string, JsonValue>;
  /** The calls that reached it, with the number of the process in order of appearance. */
  readonly calls: () => readonly string[];
}

async function openFaulty(
  fault: string,
  { once = false, timeouts = {} }: { once?: boolean; timeouts?: ProviderTimeouts } = {},
): Promise<World> {
  const own = join(folder, String(count++));
  mkdirSync(own);
  const store = join(own, "store.json");
  const calls = join(own, "calls");
  const host = openProviders({
    projectFolder: folder,
    environment: {
      FAULT: fault,
      FAULT_ONCE: once ? join(own, "happened") : "",
      STORE: store,
      CALLS: calls,
    },
    timeouts: { cancel: 100, ...timeouts },
  });
  onTestFinished(() => host.close());
  const lines: string[] = [];
  return {
    provider: await host.provider("faulty"),
    context: {
      type: "faulty:index/Thing",
      name: "dev:shop:index:faulty:index/Thing",
      signal: new AbortController().signal,
      log: (line) => lines.push(line),
    },
    lines,
    store: () => JSON.parse(readText(store, "{}")) as Record<string, JsonValue>,
    calls: () => {
      const pids: string[] = [];
      return readText(calls, "")
        .trim()
        .split("\n")
        .map((line) => {
          const [pid = "", method = ""] = line.split(" ");
          if (!pids.includes(pid)) pids.push(pid);
          return `${pids.indexOf(pid) + 1} ${method}`;
        });
    },
  };
}

function readText(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

/** What the user sees of a failure, without the places of this machine. */
async function seen(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DiagnosticError)) return `no diagnostic: ${String(error)}`;
  return renderDiagnostics(error.diagnostics)
    .replaceAll(process.execPath, "node")
    .replaceAll(script, "provider.mjs")
    .replaceAll(packageFolder, "node_modules/faulty");
}

const where = "node provider.mjs in node_modules/faulty";
const thing = "dev:shop:index:faulty:index/Thing";
const notKnown =
  "hint: whether it was done is not known; the next run looks before it does it again";

interface FaultCase {
  readonly kind: string;
  readonly timeouts?: ProviderTimeouts;
  readonly sees: string;
}

describe("a provider in another process that", () => {
  const cases: readonly FaultCase[] = [
    {
      kind: "fails",
      sees: `error[provider.failed]: creating ${thing} failed: the disk is full
  it has 0 bytes left
  said by the provider of the package "faulty", ${where}`,
    },
    {
      kind: "fails-oddly",
      sees: `error[provider.failed]: creating ${thing} failed: no reason was given
  said by the provider of the package "faulty", ${where}`,
    },
    {
      kind: "dies",
      sees: `error[provider.crashed]: creating ${thing}: the provider of the package "faulty" ended with exit code 3 before it answered
  ${where}
  | something terrible happened
  ${notKnown}`,
    },
    {
      kind: "killed",
      sees: `error[provider.crashed]: creating ${thing}: the provider of the package "faulty" was ended by SIGKILL before it answered
  ${where}
  ${notKnown}`,
    },
    {
      kind: "hangs",
      timeouts: { create: 50 },
      sees: `error[provider.timed-out]: creating ${thing}: the provider of the package "faulty" did not answer within 50 ms
  ${where}
  ${notKnown}`,
    },
    {
      kind: "stops-when-cancelled",
      timeouts: { create: 50, cancel: 60_000 },
      sees: `error[provider.timed-out]: creating ${thing}: the provider of the package "faulty" did not answer within 50 ms
  ${where}
  ${notKnown}`,
    },
    {
      kind: "endless",
      sees: `error[provider.invalid-answer]: creating ${thing}: the provider of the package "faulty" printed a line of more than 16 MiB
  ${where}
  hint: the process was ended; it is started again for the next call`,
    },
    {
      kind: "nothing",
      sees: `error[provider.failed]: creating ${thing} failed: the answer has neither a result nor an error
  said by the provider of the package "faulty", ${where}`,
    },
    {
      kind: "huge",
      sees: `error[provider.invalid-answer]: creating ${thing}: the provider of the package "faulty" gave an answer that cannot be used: outputs has 2097163 bytes, and at most 1048576 can be recorded
  ${where}
  it was made, with the id huge-1`,
    },
    {
      kind: "wrong-shape",
      sees: `error[provider.invalid-answer]: creating ${thing}: the provider of the package "faulty" gave an answer that cannot be used: outputs is a list, not an object
  ${where}
  it was made, with the id odd-1`,
    },
    {
      kind: "no-id",
      sees: `error[provider.invalid-answer]: creating ${thing}: the provider of the package "faulty" gave an answer that cannot be used: id is nothing, not a text
  ${where}`,
    },
    {
      kind: "text",
      sees: `error[provider.invalid-answer]: creating ${thing}: the provider of the package "faulty" gave an answer that cannot be used: expected { id, outputs }, found a string
  ${where}`,
    },
  ];
  it.each(cases)("$kind", async ({ kind, timeouts = {}, sees }) => {
    const { provider, context, store } = await openFaulty(`create:${kind}`, {
      once: true,
      timeouts,
    });
    expect(await seen(provider.create({ a: 1 }, context))).toBe(sees);
    // Whatever it was, the next call is answered, if need be by another process.
    const patient = { ...context, timeoutMs: 60_000 };
    expect(await provider.create({ a: 2 }, patient)).toEqual({ id: "thing-1", outputs: { a: 2 } });
    expect(store()).toEqual({ "thing-1": { a: 2 } });
  });

  it.each([
    ["read", (provider, context) => provider.read("x", context)],
    ["update", (provider, context) => provider.update("x", {}, {}, context)],
    ["delete", (provider, context) => provider.delete("x", context)],
    ["check", (provider, context) => provider.check?.({}, context)],
    ["diff", (provider, context) => provider.diff?.({}, {}, context)],
    ["fetchStats", (provider, context) => provider.fetchStats?.("x", context)],
    ["fetchLog", (provider, context) => readLog(provider, context)],
  ] as readonly [string, (provider: Provider, context: ProviderContext) => Promise<unknown>][])(
    "fails, dies, hangs or talks nonsense at %s",
    async (operation, call) => {
      const codes: string[] = [];
      for (const kind of ["fails", "dies", "hangs", "garbage"]) {
        const { provider, context } = await openFaulty(`${operation}:${kind}`, {
          timeouts: kind === "hangs" ? { [operation]: 50 } : {},
        });
        const end = await seen(call(provider, context));
        codes.push(/\[(.*?)\]/.exec(end)?.[1] ?? end);
      }
      expect(codes).toEqual([
        "provider.failed",
        "provider.crashed",
        "provider.timed-out",
        "no diagnostic: undefined",
      ]);
    },
  );

  it("prints garbage: it becomes lines for the user, and the answer counts", async () => {
    const { provider, context, lines } = await openFaulty("create:garbage");
    expect(await provider.create({ a: 1 }, context)).toEqual({ id: "thing-1", outputs: { a: 1 } });
    expect(lines.filter((line) => line !== "a line on stderr")).toEqual([
      "garbage on stdout",
      '{"jsonrpc": broken',
      "42",
      '{"a":1}',
      "a line for the user",
    ]);
  });

  it("prints without end: the user sees the beginning", async () => {
    const { provider, context, lines } = await openFaulty("create:flood");
    await provider.create({ a: 1 }, context);
    expect(lines).toHaveLength(10_001);
    expect(lines.at(-1)).toBe("… more than 10000 lines: the rest is left out");
  });

  it("answers late, when it is cancelled: what it made is not lost", async () => {
    const { provider, context } = await openFaulty("create:hangs-until-cancelled", {
      timeouts: { create: 50, cancel: 60_000 },
    });
    expect(await provider.create({ a: 1 }, context)).toEqual({ id: "thing-1", outputs: { a: 1 } });
  });

  it("hangs while the user interrupts: it is told, and given up", async () => {
    const { provider, context, calls } = await openFaulty("create:hangs", {
      timeouts: { cancel: 1_000 },
    });
    const controller = new AbortController();
    const creating = seen(provider.create({ a: 1 }, { ...context, signal: controller.signal }));
    controller.abort();
    expect(await creating).toBe(
      `error[provider.cancelled]: creating ${thing} was interrupted\n  ${notKnown}`,
    );
    expect(await provider.read("thing-1", context)).toBe(undefined);
    expect(calls()).toEqual(["1 operations", "1 create", "1 $/cancel", "2 read"]);
  });

  it("hangs in one call loses nothing of another", async () => {
    const { provider, context, calls } = await openFaulty("read:hangs", { timeouts: { read: 50 } });
    const reading = seen(provider.read("x", context));
    expect(await provider.create({ a: 1 }, context)).toEqual({ id: "thing-1", outputs: { a: 1 } });
    expect(await reading).toContain("[provider.timed-out]");
    expect(calls()).not.toContain("2 create");
  });

  it("dies after it made something: the thing is there, and nothing is said of it", async () => {
    const { provider, context, store } = await openFaulty("create:dies-after", { once: true });
    expect(await seen(provider.create({ a: 1 }, context))).toContain("[provider.crashed]");
    expect(store()).toEqual({ "thing-1": { a: 1 } });
    expect(await provider.read("thing-1", context)).toEqual({ a: 1 });
  });

  it("dies while several wait: each is told, and one new process serves the next", async () => {
    const { provider, context, calls } = await openFaulty("create:dies", { once: true });
    const both = await Promise.all([
      seen(provider.create({ a: 1 }, context)),
      seen(provider.create({ a: 2 }, { ...context, timeoutMs: 5_000 })),
    ]);
    expect(both[0]).toContain("[provider.crashed]");
    expect(await provider.create({ a: 3 }, context)).toMatchObject({ outputs: { a: 3 } });
    expect(calls().at(-1)).toBe("2 create");
  });

  it("makes something and gives an answer that cannot be used: its id is kept", async () => {
    const { provider, context } = await openFaulty("create:wrong-shape");
    const error: unknown = await provider.create({}, context).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableAnswerError);
    expect((error as UnusableAnswerError).createdId).toBe("odd-1");
  });

  it("streams its log until it answers", async () => {
    const { provider, context } = await openFaulty("");
    expect(await readLog(provider, context)).toEqual([{ text: "one", timeMs: 1 }, { text: "two" }]);
  });
});

async function readLog(provider: Provider, context: ProviderContext): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of provider.fetchLog?.("x", { follow: false }, context) ?? [])
    lines.push(line);
  return lines;
}
