/** Templates in ytt, run by the real program. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { yttRunner } from "../../src/controller/index.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import { BlueprintWorld, reasonOf } from "../blueprints/blueprint-world.ts";
import { gitSource, platformYaml, workloadYaml } from "../blueprints/platform-yaml.ts";
import { ensureProgram } from "./binaries.ts";
import { ytt as program } from "./ytt.ts";

const conditional = `#@ load("@ytt:data", "data")
apiVersion: v1
kind: ConfigMap
metadata:
  name: #@ data.values.workload.metadata.name + "-app"
data:
  image: #@ data.values.image
  #@ if data.values.params.debug:
  debug: "on"
  #@ end
`;

let ytt = "";
beforeAll(async () => {
  ytt = await ensureProgram(program, (line) => {
    console.log(line);
  });
});

describe("ytt", () => {
  const cases: readonly (readonly [text: string, expected: string | RegExp])[] = [
    ["a: #@ 1 + 1\n", '{"kind":"value","value":{"a":2}}'],
    [
      '#@ load("@ytt:data", "data")\na: #@ data.values.x\n',
      '{"kind":"value","value":{"a":[1,"2"]}}',
    ],
    ["a: 1\n---\nb: 2\n", /must give one object, and ytt printed 2/],
    ["", /must give one object, and ytt printed 0/],
    ["a: #@ nope\n", /ytt failed: .*undefined: nope/s],
    [
      "#@ def f(n):\n#@ for i in range(n):\n#@ x = [j for j in range(n)]\n#@ end\n#@ end\na: #@ f(10000000)\n",
      /took longer than 10 s/,
    ],
  ];
  it.each(cases)("%j", { timeout: 60_000 }, async (text, expected) => {
    const rendered = JSON.stringify(await yttRunner(ytt)(text, { x: [1, "2"] }));
    if (typeof expected === "string") expect(rendered).toBe(expected);
    else expect(rendered).toMatch(expected);
  });

  it("reads what it is given as values, never as a template", async () => {
    const text = '#@ load("@ytt:data", "data")\na: #@ data.values.x\nb: #@ "-" + data.values.x\n';
    for (const x of [
      "#@ 1 + 1",
      "(@= data.values.hidden @)",
      '#@ load("@ytt:data", "data")',
      "a\n---\nb: 2",
      "!!binary aGk=",
      "$(workload.spec)$",
    ])
      expect(await yttRunner(ytt)(text, { x, hidden: "hunter2" })).toEqual({
        kind: "value",
        value: { a: x, b: `-${x}` },
      });
  });

  it("cannot read files or the environment of the controller", async () => {
    for (const text of [
      '#@ load("@ytt:data", "data")\na: #@ data.read("/etc/passwd")\n',
      '#@ load("/etc/passwd", "x")\na: 1\n',
      '#@ load("@ytt:env", "env")\na: #@ env.HOME\n',
    ])
      expect(await yttRunner(ytt)(text, {})).toMatchObject({ kind: "problem" });
  });

  it("is missed in words", async () => {
    expect(await yttRunner("keelson-no-such-ytt")("a: 1", {})).toEqual({
      kind: "problem",
      message:
        "the template needs ytt, and there is no program keelson-no-such-ytt on the PATH of this process",
    });
  });
});

describe("a chain with a template in ytt", () => {
  let world: BlueprintWorld;
  beforeAll(async () => {
    world = await BlueprintWorld.open(inject("kubeconfig"));
    await world.allow();
    const [head = "", rest = ""] = platformYaml().split("metadata: {name: app-UNIQUE}\nspec:\n");
    const spec = `  params: [{name: debug, default: false}]\n  ytt: |\n${conditional.replaceAll(/^/gm, "    ")}\n---\n`;
    await world.apply(
      `${head}metadata: {name: app-UNIQUE}\nspec:\n${spec}${rest === "" ? "" : ""}`,
    );
    await world.control({ renderYtt: yttRunner(ytt) });
  });
  afterAll(() => world.close());

  it("stamps what ytt gives, again when a parameter changes, and tells what ytt says no to", async () => {
    await world.apply(workloadYaml("web", gitSource));
    await world.ready("web");
    expect(await world.configMaps()).toContain('web-app {"image":"u:main"}');
    const debug = gitSource.replace("{source", "{params: [{name: debug, value: true}], source");
    await world.apply(workloadYaml("web", debug));
    await world.until(
      { apiVersion: "v1", kind: "ConfigMap" },
      "web-app",
      (object) => fieldAt(object, "data", "debug") === "on",
    );

    await world.apply(
      `apiVersion: kontinue.io/v1alpha1\nkind: ClusterTemplate\nmetadata: {name: app-UNIQUE}\nspec: {ytt: "a: #@ nope"}\n`,
    );
    const failed = await world.workload(
      "web",
      (object) => reasonOf(object) === "TemplateStampFailure",
    );
    const ready = objectsIn(fieldAt(failed, "status", "conditions")).find(
      ({ type }) => type === "Ready",
    );
    expect(ready?.["message"]).toMatch(/ytt failed: [\s\S]*undefined: nope/);
  });
});
