import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import { parseYamlValue } from "../../objects/index.ts";
import { interpolate, tagsOf } from "./interpolate.ts";
import { mergeParams } from "./params.ts";
import { inputContext } from "./template-context.ts";

function yaml(text: string): JsonValue {
  const parsed = parseYamlValue(text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return parsed.value;
}

describe("tags", () => {
  const context = yaml(
    '{workload: {name: web, count: 3, flag: false, none: null, list: [1, 2], map: {a: b}, empty: ""}, params: {a-b: x, "a.b": z}}',
  ) as JsonObject;
  const cases: readonly (readonly [template: string, expected: JsonValue | string])[] = [
    ["$(workload.name)$", "web"],
    ["$(workload.count)$", 3],
    ["$(workload.flag)$", false],
    ["$(workload.none)$", null],
    ["$(workload.list)$", [1, 2]],
    ["$(workload.map)$", { a: "b" }],
    ["$(workload.empty)$", ""],
    ["$(workload.list[1])$", 2],
    ["$(params.a-b)$", "x"],
    ["$(params['a.b'])$", "z"],
    ["x-$(workload.name)$", "x-web"],
    ["$(workload.name)$$(workload.count)$", "web3"],
    ["$(workload.name)$/$(workload.map)$", 'web/{"a":"b"}'],
    ["no tag", "no tag"],
    ["$(date)", "$(date)"],
    ["echo $(date) $(workload.count)$", "echo $(date) 3"],
    ["$5 (a)$", "$5 (a)$"],
    ["v $(workload.none)$", "at s: $(workload.none)$ leads to null, which is no text"],
    ["$(workload.gone)$", "at s: $(workload.gone)$ leads nowhere"],
    ["$(workload.list[*])$", "at s: $(workload.list[*])$ leads to 2 values, and must lead to one"],
    ["$(workload.list[9])$", "at s: $(workload.list[9])$ leads nowhere"],
    ["$(workload[)$", "at s: the JSON path workload[ cannot be parsed: a bracket is not closed"],
  ];
  it.each(cases)("%s", (template, expected) => {
    const result = interpolate({ s: template }, context);
    expect(result.kind === "problem" ? result.message : (result.value as JsonObject)["s"]).toEqual(
      expected,
    );
  });

  it("are replaced wherever there is text, but not in keys", () => {
    const template = yaml('{"$(a)$": [{b: "$(workload.count)$"}, 1, true, null]}');
    expect(interpolate(template, context)).toEqual({
      kind: "value",
      value: { "$(a)$": [{ b: 3 }, 1, true, null] },
    });
    expect(tagsOf(yaml('{a: [{b: "$(x.y)$ $(z)$"}]}'))).toEqual([
      { path: "x.y", place: "a[0].b" },
      { path: "z", place: "a[0].b" },
    ]);
  });

  it("what comes in is not looked at again", () => {
    expect(interpolate("$(a)$", { a: "$(b)$" })).toEqual({ kind: "value", value: "$(b)$" });
  });
});

describe("parameters: template, blueprint, step, owner", () => {
  const d = (value: JsonValue) => ({ name: "p", value, fixed: false });
  const v = (value: JsonValue) => ({ name: "p", value, fixed: true });
  type Param = ReturnType<typeof d> | undefined;
  const cases: readonly (readonly [
    template: JsonValue | undefined,
    blueprint: Param,
    step: Param,
    owner: JsonValue | undefined,
    expected: JsonValue | undefined,
  ])[] = [
    [undefined, undefined, undefined, undefined, undefined],
    ["t", undefined, undefined, undefined, "t"],
    ["t", d("b"), undefined, undefined, "b"],
    ["t", v("b"), undefined, undefined, "b"],
    ["t", d("b"), d("s"), undefined, "s"],
    ["t", v("b"), d("s"), undefined, "s"],
    ["t", d("b"), v("s"), undefined, "s"],
    ["t", undefined, undefined, "o", "o"],
    ["t", d("b"), undefined, "o", "o"],
    ["t", v("b"), undefined, "o", "b"],
    ["t", d("b"), d("s"), "o", "o"],
    ["t", d("b"), v("s"), "o", "s"],
    ["t", v("b"), v("s"), "o", "s"],
    ["t", v("b"), d("s"), "o", "o"],
    [undefined, undefined, undefined, { deep: [1] }, { deep: [1] }],
    [undefined, d(false), undefined, undefined, false],
    [undefined, d("b"), undefined, null, null],
  ];
  it.each(cases)("%j %j %j %j: %j", (template, blueprint, step, owner, expected) => {
    const params = mergeParams(
      { params: template === undefined ? [] : [{ name: "p", value: template }] },
      { params: blueprint === undefined ? [] : [blueprint] },
      { params: step === undefined ? [] : [step] },
      {
        apiVersion: "carto.run/v1alpha1",
        kind: "Workload",
        metadata: {},
        spec: { params: owner === undefined ? [] : [{ name: "p", value: owner }] },
      },
    );
    expect(params["p"]).toEqual(expected);
  });
});

describe("inputs as templates see them", () => {
  const emitted = new Map([
    ["git", { kind: "source", url: "u", revision: "r" } as const],
    ["kpack", { kind: "image", image: "i" } as const],
    ["conv", { kind: "config", config: { a: 1 } } as const],
  ]);
  const step = (
    ...inputs: readonly (readonly ["source" | "image" | "config" | "deployment", string, string])[]
  ) => ({
    name: "s",
    templateKind: "ClusterTemplate" as const,
    choice: { kind: "template", name: "t" } as const,
    params: [],
    inputs: inputs.map(([kind, name, from]) => ({ kind, name, step: from })),
  });
  it("all of them by name, and one alone without", () => {
    expect(
      inputContext(
        step(["source", "src", "git"], ["image", "img", "kpack"], ["config", "c", "conv"]),
        emitted,
      ),
    ).toEqual({
      sources: { src: { url: "u", revision: "r", name: "src" } },
      images: { img: { image: "i", name: "img" } },
      configs: { c: { config: { a: 1 }, name: "c" } },
      source: { url: "u", revision: "r", name: "src" },
      image: "i",
      config: { a: 1 },
    });
    expect(
      inputContext(step(["source", "a", "git"], ["source", "b", "git"]), emitted),
    ).not.toHaveProperty("source");
    expect(inputContext(step(["deployment", "", "git"]), emitted)).toMatchObject({
      deployment: { url: "u", revision: "r" },
    });
  });
});
