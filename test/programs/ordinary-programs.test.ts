/**
 * Ordinary programs behave as if nobody had rewritten them: the modules of packages that this
 * project depends on, and its own TypeScript, run both ways on the same input.
 */
import { join } from "node:path";
import { inspect } from "node:util";
import { anything, array, assert, asyncProperty, constantFrom, string, property } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProvisioned, takeRejections } from "../../src/resources/provisioned/index.ts";
import { type Exports, loadFile, requireFile, takePartInLoading } from "./load-both-ways.ts";

const root = join(import.meta.dirname, "../..");
const packages = join(root, "node_modules");

/** A function of a module, by the name under which it is exported. */
type Run = (exports: Record<string, (...args: readonly unknown[]) => unknown>) => unknown;

let leaveLoading: (() => void) | undefined;
beforeAll(() => {
  leaveLoading = takePartInLoading();
  // Nothing is looked at before there is a provisioned value.
  makeProvisioned({ resource: { name: "any", label: "any" }, path: [] });
});
afterAll(() => leaveLoading?.());

const manifest = "# c\na: 1 # d\nb: &x\n  - y\n  - {z: 2}\nc: *x\ntext: |\n  te\n   xt\n";
const tiltfile = `
def image(name, tags=[]): return {'name': name, 'all': ['%s:%s' % (name, t) for t in tags]}
for i in range(4): print(image('web-%d' % i, [str(n) for n in range(i)]), sorted({3: 1, 2: 2}.keys()))
k8s_yaml(encode_yaml({'kind': 'Pod', 'apiVersion': 'v1', 'metadata': {'name': 'x'}}))
missing()
`;

const modules: readonly (readonly [file: string, run: Run])[] = [
  ["js-yaml/dist/js-yaml.mjs", (m) => m["dump"]?.(m["load"]?.(manifest))],
  ["yaml/browser/dist/index.js", (m) => m["stringify"]?.(m["parse"]?.(manifest), null, 4)],
  [
    "smol-toml/dist/index.js",
    (m) => m["stringify"]?.(m["parse"]?.('a = 1\n[b]\nc = [1.5, 2]\n[[e]]\nf = "x"\n')),
  ],
  ["strip-json-comments/index.js", (m) => m["default"]?.('{/*a*/"b":1,//x\n"c":"//"}')],
  ["@marcbachmann/cel-js/lib/index.js", (m) => m["evaluate"]?.("[1,2,3].map(x, x * 2)[1] > 3")],
  [
    "fflate/esm/browser.js",
    (m) => m["gunzipSync"]?.(m["gzipSync"]?.(m["strToU8"]?.(manifest.repeat(50)), { mtime: 0 })),
  ],
  ["mri/lib/index.mjs", (m) => m["default"]?.(["--a=1", "-b", "c", "--no-d"])],
  ["../src/sources/tiltfile/index.ts", (m) => m["loadTiltfile"]?.(tiltfileOptions)],
  [
    "../src/objects/index.ts",
    (m) =>
      m["readObjectsFromText"]?.(
        "kind: Pod\napiVersion: v1\nmetadata: {name: x}\n---\na: [\n",
        "a",
      ),
  ],
  ["../src/cel/index.ts", (m) => m["compileExpression"]?.("self.a.map(x, x + 1)", {})],
];
const tiltfileOptions = {
  path: "Tiltfile",
  text: tiltfile,
  workingDirectory: "/nowhere",
  environment: {},
};

describe("modules give the same both ways", () => {
  it.each(modules)("%s", async (file, run) => {
    const path = join(packages, file);
    const plain = resultOf(run, await loadFile(path, "plain"));
    const rewritten = resultOf(run, await loadFile(path, "rewritten"));
    expect(rewritten).toBe(plain);
    expect(plain).not.toContain("is not a function");
    expect(takeRejections()).toEqual([]);
  });

  it("code that waits in the middle of assignments", async () => {
    const path = join(import.meta.dirname, "assignments.ts");
    const [plain, rewritten] = [await loadFile(path, "plain"), await loadFile(path, "rewritten")];
    expect(inspect(rewritten["result"], { depth: 9 })).toBe(inspect(plain["result"], { depth: 9 }));
    expect(plain["result"]).toHaveLength(14);
  });

  const commonModules: readonly (readonly [file: string, run: Run])[] = [
    ["picomatch/lib/picomatch.js", (m) => m["makeRe"]?.("{a,b}/**/*.{x,y}")],
    ["yaml/dist/index.js", (m) => m["stringify"]?.(m["parse"]?.(manifest))],
    ["source-map-js/lib/base64-vlq.js", (m) => [m["encode"]?.(1234), m["encode"]?.(-7)]],
  ];
  it.each(commonModules)("%s, by require", (file, run) => {
    const path = join(packages, file);
    const plain = resultOf(run, requireFile(path, "plain") as Exports);
    expect(resultOf(run, requireFile(path, "rewritten") as Exports)).toBe(plain);
  });
});

describe("on any input", () => {
  it("YAML is written and read the same", async () => {
    const path = join(packages, "js-yaml/dist/js-yaml.mjs");
    const [plain, rewritten] = [await loadFile(path, "plain"), await loadFile(path, "rewritten")];
    const write: Run = (m) => m["dump"]?.(value, { skipInvalid: true });
    let value: unknown;
    assert(
      property(anything(), (any) => {
        value = any;
        expect(resultOf(write, rewritten)).toBe(resultOf(write, plain));
      }),
    );
  });

  it("generators give the same samples", async () => {
    const path = join(packages, "fast-check/lib/fast-check.js");
    const [plain, rewritten] = [await loadFile(path, "plain"), await loadFile(path, "rewritten")];
    for (const seed of [1, 2, 3]) {
      const sample: Run = (m) => m["sample"]?.(m["object"]?.(), { seed, numRuns: 20 });
      expect(resultOf(sample, rewritten)).toBe(resultOf(sample, plain));
    }
  });

  it("Starlark programs run the same", async () => {
    const path = join(root, "src/sources/tiltfile/index.ts");
    const [plain, rewritten] = [await loadFile(path, "plain"), await loadFile(path, "rewritten")];
    const line = constantFrom(
      "x = [1, 2]",
      "print(x)",
      "def f(a, b=2): return a % b",
      "y = f(7)",
      "print({'a': y}.get('a', 1), y or x)",
      "x += [y]",
      "for i in x: print(i * 2)",
      "1 / 0",
    );
    await assert(
      asyncProperty(array(line, { maxLength: 8 }), string(), async (lines, noise) => {
        const text = [...lines, `print(${JSON.stringify(noise)})`].join("\n");
        const run: Run = (m) => m["loadTiltfile"]?.({ ...tiltfileOptions, text });
        expect(resultOf(run, rewritten)).toBe(resultOf(run, plain));
      }),
      { numRuns: 40 },
    );
  });
});

/** What a module gives or throws, as text. Stacks differ: the runtime is among the callers. */
function resultOf(run: Run, exports: Exports): string {
  try {
    const shown = inspect(run(exports as never), { depth: 20, maxArrayLength: 2000 });
    return shown.replaceAll(/\n\s+at .*/g, "");
  } catch (error) {
    return String(error);
  }
}
