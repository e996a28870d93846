/** What every provider must do: the same cases for each, through the host that opens it. */
import { describe, expect, it, onTestFinished } from "vitest";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import type { JsonObject } from "../../src/json/index.ts";
import type { Created, Provider, ProviderContext } from "../../src/providers/index.ts";

/** One type of resource, as data. */
export interface ContractCase {
  readonly type: string;
  /** Made anew for every test, so that tests do not meet. */
  readonly inputs: () => JsonObject;
  /** A change that is carried out in place, and the names of what changed. */
  readonly inPlace?: { readonly change: JsonObject; readonly changes: readonly string[] };
  /** A change that needs another resource, and the names of what cannot be changed. */
  readonly replaced?: { readonly change: JsonObject; readonly replace: readonly string[] };
  /** Inputs that are refused, and why. */
  readonly refused: { readonly change: JsonObject; readonly says: string };
  /** Whether an interrupted create can be recognised by what it left behind. */
  readonly isFound: boolean;
  /** Whether what is made exists outside its record, so that deleting it can be seen. */
  readonly isReal: boolean;
  /** Removes it behind the provider's back. */
  readonly loseIt?: (created: Created) => Promise<void>;
  /** A text in its log. */
  readonly logs?: { readonly text: string; readonly cause?: (created: Created) => Promise<void> };
  readonly stats: readonly string[];
}

export function describeProvider(
  title: string,
  open: () => Promise<Provider>,
  cases: readonly ContractCase[],
): void {
  describe.each(cases)(`${title}: $type`, (each) => {
    let count = 0;
    const contextFor = (more: Partial<ProviderContext> = {}): ProviderContext => ({
      type: each.type,
      name: `dev:contract:index:${each.type}#${process.pid}-${count++}`,
      signal: new AbortController().signal,
      log: () => {},
      ...more,
    });
    const make = async (): Promise<{
      provider: Provider;
      inputs: JsonObject;
      created: Created;
      context: ProviderContext;
    }> => {
      const provider = await open();
      const inputs = each.inputs();
      const context = contextFor();
      const created = await provider.create(inputs, context);
      const known = { ...context, outputs: created.outputs };
      onTestFinished(async () => provider.delete(created.id, known));
      return { provider, inputs, created, context: known };
    };

    it("reads what it created, as often as one likes", async () => {
      const { provider, created, context } = await make();
      expect(created.id).not.toBe("");
      expect(await provider.read(created.id, context)).toEqual(created.outputs);
      expect(await provider.read(created.id, context)).toEqual(created.outputs);
    });

    it("deletes, and a second time without complaint", async () => {
      const { provider, created, context } = await make();
      await provider.delete(created.id, context);
      await provider.delete(created.id, context);
      expect(await provider.read(created.id, context)).toEqual(
        each.isReal ? undefined : created.outputs,
      );
    });

    it("finds nothing wrong with good inputs, and says what is wrong with others", async () => {
      const provider = await open();
      const wrong = { ...each.inputs(), ...each.refused.change };
      expect(await provider.check?.(each.inputs(), contextFor())).toEqual([]);
      expect((await provider.check?.(wrong, contextFor()))?.join("; ")).toContain(
        each.refused.says,
      );
    });

    it("refuses to create from inputs that are wrong", async () => {
      const provider = await open();
      const context = contextFor();
      const wrong = { ...each.inputs(), ...each.refused.change };
      const error = await provider.create(wrong, context).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DiagnosticError);
      const [diagnostic] = (error as DiagnosticError).diagnostics;
      expect(diagnostic?.code).toBe("provider.failed");
      expect(diagnostic?.summary).toContain(`creating ${context.name} failed: `);
      expect(diagnostic?.summary).toContain(each.refused.says);
      expect(JSON.stringify([diagnostic?.summary, diagnostic?.detail])).not.toMatch(
        /\bat .*:\d+:\d+/,
      );
    });

    it("sees no difference where there is none", async () => {
      const provider = await open();
      const inputs = each.inputs();
      expect(await provider.diff?.(inputs, structuredClone(inputs), contextFor())).toMatchObject({
        changes: [],
        replace: [],
      });
    });

    it.each(oneOrNone(each.inPlace))("changes in place what can be changed", async (inPlace) => {
      const { provider, inputs, created, context } = await make();
      const changed = { ...inputs, ...inPlace.change };
      expect(await provider.diff?.(inputs, changed, context)).toMatchObject({
        changes: inPlace.changes,
        replace: [],
      });
      const outputs = await provider.update(created.id, inputs, changed, context);
      const after = { ...context, outputs };
      expect(await provider.read(created.id, after)).toEqual(outputs);
    });

    it.each(oneOrNone(each.replaced))("knows what needs another resource", async (replaced) => {
      const provider = await open();
      const inputs = each.inputs();
      const diff = await provider.diff?.(inputs, { ...inputs, ...replaced.change }, contextFor());
      expect(diff?.replace).toEqual(replaced.replace);
    });

    it("looks for what an interrupted create may have left", async () => {
      const provider = await open();
      expect(await provider.find?.(each.inputs(), contextFor())).toBe(undefined);
      const { created, inputs, context } = await make();
      const found = await provider.find?.(inputs, context);
      expect(found).toEqual(
        each.isFound ? { id: created.id, outputs: created.outputs } : undefined,
      );
      await provider.delete(created.id, context);
      expect(await provider.find?.(inputs, context)).toBe(undefined);
    });

    it.each(oneOrNone(each.loseIt))(
      "notices that it was removed by somebody else",
      async (loseIt) => {
        const { provider, created, context } = await make();
        await loseIt(created);
        expect(await provider.read(created.id, context)).toBe(undefined);
      },
    );

    it("tells its numbers", async () => {
      const { provider, created, context } = await make();
      const stats = await provider.fetchStats?.(created.id, context);
      expect(stats?.map(({ name }) => name)).toEqual(each.stats);
      for (const { points } of stats ?? []) {
        expect(points.length).toBeGreaterThan(0);
        for (const { value } of points) expect(value).toBeGreaterThanOrEqual(0);
      }
    });

    it.each(oneOrNone(each.logs))(
      "shows its log, and follows it until nobody reads",
      async (logs) => {
        const { provider, created, context } = await make();
        await logs.cause?.(created);
        // Followed first: a server may take a moment to write its log.
        for (const follow of [true, false]) {
          expect(await firstLine(provider, created, follow, context, logs.text)).toContain(
            logs.text,
          );
        }
        const controller = new AbortController();
        const silent = { ...context, signal: controller.signal };
        const future = { follow: true, sinceMs: Date.now() + 3_600_000 };
        const lines = provider.fetchLog?.(created.id, future, silent)[Symbol.asyncIterator]();
        const next = lines?.next();
        controller.abort();
        expect(await next).toEqual({ done: true, value: undefined });
      },
    );

    it("does nothing for a type that it does not know", async () => {
      const provider = await open();
      const context = contextFor({ type: "elsewhere:index/Nothing" });
      await expect(provider.create(each.inputs(), context)).rejects.toThrow(
        "there is no type elsewhere:index/Nothing",
      );
    });

    it("does nothing when nobody waits any more", async () => {
      const provider = await open();
      const context = contextFor({ signal: AbortSignal.abort() });
      const inputs = each.inputs();
      await expect(provider.create(inputs, context)).rejects.toThrow("was interrupted");
      expect(await provider.find?.(inputs, contextFor())).toBe(undefined);
    });
  });
}

/** A case that says nothing of something has no test of it. */
function oneOrNone<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

async function firstLine(
  provider: Provider,
  { id }: Created,
  follow: boolean,
  context: ProviderContext,
  text: string,
): Promise<string | undefined> {
  for await (const line of provider.fetchLog?.(id, { follow }, context) ?? [])
    if (line.text.includes(text)) return line.text;
  return undefined;
}
