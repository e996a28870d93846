import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonValue } from "../../json/index.ts";
import {
  acceptProvisioned,
  construct,
  type Construction,
  currentConstruction,
  currentSite,
  deferredOf,
  type Deferred,
  describeDeferred,
  describeOrigin,
  each,
  handleOf,
  holdsProvisioned,
  isOwn,
  isProvisioned,
  isProvisionedMarker,
  isResolving,
  type Lookup,
  makeProvisioned,
  type Origin,
  originsOf,
  output,
  type Output,
  previewDeferred,
  provisioned,
  resolveValue,
  resourceHandle,
  type ResourceHandle,
  setPlaceFinder,
  type Site,
  takeRejections,
  when,
} from "./index.ts";
import { add, text } from "./runtime/text.ts";

const bucket: ResourceHandle = { name: "dev:shop:main:aws:s3/Bucket#logs", label: 'Bucket "logs"' };
const role = { name: "dev:shop:main:aws:iam/Role", label: "Role" };
const outputs: Readonly<Record<string, JsonValue>> = {
  [bucket.name]: { arn: "arn:logs", size: 3, tags: [{ key: "a" }, { key: "b" }], open: false },
  [role.name]: { arn: "arn:role" },
};

const lookup: Lookup = ({ resource, path }) =>
  path.reduce<JsonValue>(
    (value, step) => (value as Record<string, JsonValue>)[step] ?? null,
    outputs[resource.name] ?? null,
  );

interface Bucket {
  readonly arn: string;
  readonly size: number;
  readonly tags: readonly { readonly key: string }[];
  readonly open: boolean;
}
const logs = makeProvisioned({ resource: bucket, path: [] }) as Bucket;
const roleOrigin: Origin = { resource: role, path: ["arn"] };
const roleArn = makeProvisioned(roleOrigin) as string;
const nowhere = (): { file: string; token: string } => ({ file: "main.ts", token: "shop:main" });

/** A value, what it depends on, and what it becomes when its resources are applied. */
const values: readonly (readonly [
  what: string,
  value: unknown,
  origins: readonly string[],
  resolved: JsonValue,
])[] = [
  ["a member", logs.arn, ['Bucket "logs".arn'], "arn:logs"],
  ["a deeper member", logs.tags[1]?.key, ['Bucket "logs".tags[1].key'], "b"],
  [
    "the length of a list",
    output(logs.tags).map(({ length }) => length),
    ['Bucket "logs".tags'],
    2,
  ],
  ["text", text("http://", logs.arn, "/"), ['Bucket "logs".arn'], "http://arn:logs/"],
  ["joined text", add("a", logs.arn, 0, 0, nowhere), ['Bucket "logs".arn'], "aarn:logs"],
  ["two joined", add(logs.size, logs.size, 0, 0, nowhere), ['Bucket "logs".size'], 6],
  ["text and a number", add(text(logs.arn), 1, 0, 0, nowhere), ['Bucket "logs".arn'], "arn:logs1"],
  [
    "data that holds some",
    { list: [logs.arn, 1], roleArn },
    ['Bucket "logs".arn', "Role.arn"],
    { list: ["arn:logs", 1], roleArn: "arn:role" },
  ],
  ["a resource", { bucket: { [resourceHandle]: role } }, ["Role"], { bucket: { arn: "arn:role" } }],
  ["an output", output(logs.arn), ['Bucket "logs".arn'], "arn:logs"],
  [
    "a computation from several",
    output([logs.arn, roleArn]).map(([a, b]) => `${a} ${b}`),
    ['Bucket "logs".arn', "Role.arn"],
    "arn:logs arn:role",
  ],
  [
    "a computation from a computation",
    output(output(logs.arn).map((arn) => arn.split(":"))).map((parts) => parts[1]),
    ['Bucket "logs".arn'],
    "logs",
  ],
  [
    "a member of a computation",
    output(logs.arn).map((arn) => ({ parts: arn.split(":") })).parts[1],
    ['Bucket "logs".arn'],
    "logs",
  ],
  ["a choice", when(logs.open, roleArn, "closed"), ['Bucket "logs".open', "Role.arn"], "closed"],
  [
    "a list",
    each(logs.tags, ({ key }, index) => key + index),
    ['Bucket "logs".tags'],
    ["a0", "b1"],
  ],
  ["ordinary data", { a: [1, "x", null] }, [], { a: [1, "x", null] }],
  ["a computation from what is known", output(2).map((value) => value * 2), [], 4],
  ["a choice that is known", when(true, "yes", "no"), [], "yes"],
  ["a list that is known", each([1, 2], (item) => item + 1), [], [2, 3]],
];

describe("values", () => {
  it.each(values)("%s", (_, value, origins, resolved) => {
    expect(originsOf(value).map(describeOrigin)).toEqual(origins);
    expect(resolveValue(value, lookup)).toEqual(resolved);
  });

  it("are told from ordinary ones", () => {
    expect([logs.arn, () => 1, {}, "a", null].map(isProvisioned)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(holdsProvisioned({ deep: [{ value: logs.arn }] })).toBe(true);
    const circular: unknown[] = [];
    circular.push(circular);
    expect(holdsProvisioned(circular)).toBe(false);
    expect(logs.arn).toBe(logs.arn);
  });

  it("are shown as not known yet", () => {
    expect(inspect({ arn: logs.arn })).toBe(`{ arn: (known after apply: Bucket "logs".arn) }`);
    const address = deferredOf(text("http://", logs.arn, "/"));
    expect(address && previewDeferred(address)).toBe("http://(known after apply)/");
    const both: Deferred | undefined = deferredOf(text(logs.arn, roleArn));
    expect(both && describeDeferred(both)).toBe(
      'a value computed from Bucket "logs".arn and Role.arn',
    );
  });

  it("can refer to a resource as a whole", () => {
    expect([{ [resourceHandle]: role }, logs, {}].map(handleOf)).toEqual([
      role,
      undefined,
      undefined,
    ]);
  });

  it("may be taken by functions that only store them", () => {
    const store = (): void => {};
    expect(isOwn(store)).toBe(false);
    acceptProvisioned(store);
    expect(isOwn(store)).toBe(true);
  });

  it("of a field that the provider fills in are marked", () => {
    expect([provisioned(), {}, logs.arn].map(isProvisionedMarker)).toEqual([true, false, false]);
  });
});

describe("code that is not rewritten", () => {
  const uses: readonly (readonly [what: string, use: () => unknown])[] = [
    ["is converted to text or a number", () => `size ${logs.size}`],
    ["is converted to text or a number", () => Number(logs.arn)],
    ["is converted to text or a number", () => logs.size > 1],
    ["is written as JSON", () => JSON.stringify({ deep: logs.arn })],
    ["is iterated over", () => [...logs.tags]],
    ["is asked for its members", () => Object.keys(logs)],
    ["is asked for a member", () => "arn" in logs],
    ["is asked for its class", () => logs instanceof Object],
    ["is called", () => logs.arn.toUpperCase()],
    ["is changed", () => Reflect.set(logs, "arn", 1)],
  ];
  it.each(uses)("is refused when a value %s", (what, use) => {
    expect(use).toThrow(DiagnosticError);
    const summaries = takeRejections().map(({ summary }) => summary);
    expect(summaries[0]).toContain(`and here it ${what}`);
  });
});

describe("code that nothing asks before", () => {
  it("is found by the stack, when the loader can", () => {
    const source = { file: "main.ts", start: { line: 7, column: 1 } };
    setPlaceFinder(({ stack = "" }) => (stack.includes("provisioned.test") ? source : undefined));
    const takeApart = ([first]: readonly unknown[]): unknown => first;
    expect(() => takeApart(logs.tags)).toThrow(DiagnosticError);
    expect(takeRejections().map((rejection) => rejection.source)).toEqual([source]);
    setPlaceFinder(() => undefined);
  });
});

describe("computing while applying", () => {
  const failures: readonly (readonly [value: unknown, message: string])[] = [
    [
      output(logs.arn).map((arn) => [arn, roleArn]),
      'computing from a value computed from Bucket "logs".arn: the function uses Role.arn, which it was not given',
    ],
    [
      output(logs.arn).map(async (arn) => await Promise.resolve(arn)),
      'computing from a value computed from Bucket "logs".arn: the function gave a promise, not data',
    ],
    [
      output(logs.arn).map(() => ({ [resourceHandle]: role })),
      'computing from a value computed from Bucket "logs".arn: the function gave a resource, not data',
    ],
    [
      each(logs.arn as unknown as string[], (item) => item),
      'computing a list from a value computed from Bucket "logs".arn: it is not a list',
    ],
  ];
  it.each(failures)("%#", (value, message) => {
    try {
      resolveValue(value, lookup);
      expect.unreachable();
    } catch (error) {
      const [first] = (error as DiagnosticError).diagnostics;
      expect([first?.code, first?.summary]).toEqual(["program.deferred-result", message]);
    }
  });

  it("is known to be under way", () => {
    const arn: Output<string> = output(logs.arn);
    expect(isResolving()).toBe(false);
    expect(
      resolveValue(
        arn.map(() => isResolving()),
        lookup,
      ),
    ).toBe(true);
    expect(isResolving()).toBe(false);
  });
});

describe("construct", () => {
  const site = (line: number): Site => ({
    module: "shop:main",
    class: undefined,
    file: "main.ts",
    line,
    column: 1,
  });

  it("tells constructors where they were asked for, and no others", () => {
    const seen: unknown[] = [];
    class Base {
      readonly kind = "base";
      constructor() {
        const outer: Construction | undefined = currentConstruction()?.outer;
        seen.push(currentSite(new.target)?.line, outer?.site.line);
      }
    }
    class Outer extends Base {
      constructor() {
        super();
        construct(Base, [], site(2));
        seen.push(new Base() instanceof Base);
      }
    }
    expect(construct(Outer, [], site(1))).toBeInstanceOf(Outer);
    expect(seen).toEqual([1, undefined, 2, 1, undefined, undefined, true]);
    expect(currentSite()).toBeUndefined();
  });

  it("ends when the constructor throws", () => {
    class Failing {
      readonly kind = "failing";
      constructor() {
        throw new Error("no");
      }
    }
    expect(() => construct(Failing, [], site(1))).toThrow("no");
    expect(currentConstruction()).toBeUndefined();
  });
});
