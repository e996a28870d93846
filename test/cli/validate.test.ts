import { describe, expect, it } from "vitest";
import { fieldAt } from "../../src/json/index.ts";
import { parseYamlValue } from "../../src/objects/index.ts";
import { runKeelson } from "./run-keelson.ts";

const body = "template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}";

function chain(resources: string, more = "", group = "kontinue.io"): string {
  return `apiVersion: ${group}/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: chain}\nspec:\n  selector: {app: web}\n${more}  resources:\n${resources}`;
}

function template(kind: string, name: string, spec = `{${body}}`, group = "kontinue.io"): string {
  return `---\napiVersion: ${group}/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
}

function options(...selectors: readonly string[]): string {
  const lines = selectors.map(
    (selector, index) => `      - {name: o${index}, selector: ${selector}}\n`,
  );
  return `  - name: s\n    templateRef:\n      kind: ClusterTemplate\n      options:\n${lines.join("")}`;
}

const exists = (key: string): string => `{matchFields: [{key: ${key}, operator: Exists}]}`;
const among = (key: string, values: string, operator = "In"): string =>
  `{matchFields: [{key: ${key}, operator: ${operator}, values: ${values}}]}`;

async function validate(stdin: string, ...flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runKeelson(["validate", "-", ...flags], { stdin });
  return `${stderr}${stdout}exit ${code}`;
}

describe("keelson validate", () => {
  it("has nothing to say of what is sound", async () => {
    const yaml =
      chain(
        options(
          exists("workload.spec.image"),
          "{matchFields: [{key: workload.spec.image, operator: DoesNotExist}]}",
        ),
      ) +
      template("ClusterTemplate", "o0") +
      template("ClusterTemplate", "o1");
    expect(await validate(yaml)).toBe("3 objects: valid\nexit 0");
  });

  const errors: readonly (readonly [what: string, yaml: string, expected: readonly string[]])[] = [
    [
      "a rule of the schema",
      chain("  - {name: a, templateRef: {kind: ClusterTemplate}}\n"),
      [
        "blueprints.invalid-object",
        "spec.resources[0].templateRef: Invalid value",
        "exactly one of name and options must be set",
        "<stdin>:7:",
      ],
    ],
    [
      "a type of the schema",
      chain("  - {name: 1, templateRef: {kind: ClusterTemplate, name: t}}\n"),
      ["schema.invalid-object", "spec.resources[0].name"],
    ],
    [
      "a cycle",
      chain(
        "  - {name: a, templateRef: {kind: ClusterSourceTemplate, name: t}, sources: [{name: x, resource: b}]}\n  - {name: b, templateRef: {kind: ClusterSourceTemplate, name: t}, sources: [{name: x, resource: a}]}\n",
      ),
      ["blueprints.cycle", "steps wait for each other: a → b → a"],
    ],
    [
      "equal selectors, in another order",
      chain(
        options(
          "{matchLabels: {a: b}, matchFields: [{key: workload.spec.image, operator: Exists}]}",
          "{matchFields: [{key: workload.spec.image, operator: Exists}], matchLabels: {a: b}}",
        ),
      ),
      ["blueprints.equal-selectors", "options o0 and o1 of step s have equal selectors"],
    ],
    [
      "a namespace in a template",
      template(
        "ClusterTemplate",
        "t",
        "{template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: y}}}",
      ),
      ["blueprints.namespace-forbidden", "sets metadata.namespace"],
    ],
    [
      "a path of an output",
      template("ClusterImageTemplate", "t", `{imagePath: ".status[", ${body}}`),
      ["blueprints.unusable-template", "the JSON path .status[ cannot be parsed"],
    ],
    [
      "a path in a tag",
      template(
        "ClusterTemplate",
        "t",
        '{template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "$(workload[)$"}}}',
      ),
      [
        "blueprints.unusable-template",
        "at metadata.name: the JSON path workload[ cannot be parsed",
      ],
    ],
    [
      "a name that does not fit the lifecycle",
      template("ClusterTemplate", "t", `{lifecycle: immutable, ${body}}`),
      [
        "blueprints.unusable-template",
        "sets no metadata.generateName",
        "Write generateName instead of name.",
      ],
    ],
    [
      "a run template with a fixed name",
      template("ClusterRunTemplate", "t", `{${body}}`),
      ["blueprints.unusable-template", "sets no metadata.generateName"],
    ],
    [
      "a key that cannot be read",
      chain(options(exists('"workload.spec["'))),
      ["blueprints.unusable-template", "the JSON path workload.spec[ cannot be parsed"],
    ],
    [
      "a template that is not there",
      chain("  - {name: a, templateRef: {kind: ClusterTemplate, name: gone}}\n") +
        template("ClusterTemplate", "t"),
      ["blueprints.template-missing", "step a names ClusterTemplate gone, which is not there"],
    ],
    [
      "a template of the other group",
      chain("  - {name: a, templateRef: {kind: ClusterTemplate, name: t}}\n") +
        template("ClusterTemplate", "t", `{${body}}`, "carto.run"),
      ["blueprints.mixed-groups", "which is of the group carto.run, not kontinue.io"],
    ],
    [
      "an option that looks at what the step does not take",
      chain(options(exists("sources.app.url"))),
      ["blueprints.unknown-input", "looks at sources.app, which the step does not take"],
    ],
    [
      "nothing of ours",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
      ["blueprints.no-blueprint"],
    ],
  ];
  it.each(errors)("%s", async (_what, yaml, expected) => {
    const said = await validate(yaml);
    for (const text of expected) expect(said).toContain(text);
    expect(said.endsWith("exit 1")).toBe(true);
  });

  const examples: readonly (readonly [
    what: string,
    resources: string,
    expected: string,
    more?: string,
  ])[] = [
    [
      "two options that can both match",
      options(exists("workload.spec.source.git"), exists("workload.spec.source.image")),
      'blueprints.overlap o0 and o1: {"source":{"git":{},"image":"example"}}\nblueprints.gap: {}',
    ],
    [
      "sets that share a value",
      options(among("workload.spec.image", "[a, b]"), among("workload.spec.image", "[b, c]")),
      'blueprints.overlap o0 and o1: {"image":"b"}\nblueprints.gap: {}',
    ],
    [
      "sets that leave a value out: what is missing is in none of them",
      options(among("workload.spec.image", "[a]"), among("workload.spec.image", "[a]", "NotIn")),
      "blueprints.gap: {}",
    ],
    [
      "a path below another",
      options(
        exists("workload.spec.source.git.url"),
        "{matchFields: [{key: workload.spec.source.git, operator: DoesNotExist}]}",
      ),
      'blueprints.gap: {"source":{"git":{}}}',
    ],
    [
      "an item of a list",
      options(
        among(`'workload.spec.env[?(@.name=="MODE")].value'`, "[fast]"),
        among(`'workload.spec.env[?(@.name=="MODE")].value'`, "[fast]", "NotIn"),
        "{matchFields: [{key: workload.spec.env, operator: DoesNotExist}]}",
      ),
      'blueprints.gap: {"env":[]}',
    ],
    [
      "values that the schema refuses are no examples",
      options(
        among("workload.spec.image", "[1]"),
        exists("workload.spec.image"),
        "{matchFields: [{key: workload.spec.image, operator: DoesNotExist}]}",
      ),
      "",
    ],
    [
      "what the chain asks for is given",
      options(exists("workload.spec.image")),
      "",
      "  selectorMatchFields: [{key: workload.spec.image, operator: Exists}]\n",
    ],
    [
      "the more specific one wins where that is asked for",
      options(
        exists("workload.spec.image"),
        "{matchFields: [{key: workload.spec.image, operator: Exists}, {key: workload.spec.source, operator: Exists}]}",
      ),
      "blueprints.gap: {}",
      "  optionMatching: mostSpecific\n",
    ],
  ];
  it.each(examples)("warns: %s", async (_what, resources, expected, more) => {
    const { stdout, stderr } = await runKeelson(["validate", "-", "--output", "json"], {
      stdin: chain(resources ?? "", more ?? ""),
    });
    expect(stderr).toBe("");
    const findings = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ type }) => type === "warning")
      .map(({ code = "", summary = "", detail = "" }) => {
        const names = /options (.*) of step/.exec(summary)?.[1];
        const spec = JSON.stringify(specOf(detail));
        return `${code}${names === undefined ? "" : ` ${names}`}: ${spec}`;
      });
    expect(findings.join("\n")).toBe(expected);
  });

  it("shows the workload in words, and fails on warnings when asked", async () => {
    const yaml = chain(
      options(exists("workload.spec.source.git"), exists("workload.spec.source.image")),
    );
    const said = await validate(yaml, "--strict");
    expect(said).toContain(`  for example this workload:
  apiVersion: kontinue.io/v1alpha1
  kind: Workload
  metadata:
    name: example
    namespace: default
    labels:
      app: web
  spec:
    source:
      git: {}
      image: example
`);
    expect(said.endsWith("1 object: valid, 2 warnings\nexit 1")).toBe(true);
  });

  it("switching on what is emitted: the example says when", async () => {
    const resources = `  - {name: src, templateRef: {kind: ClusterSourceTemplate, name: t}}\n${options(
      among("sources.app.revision", "[a]"),
      among("sources.app.revision", "[a, b]"),
    ).replace("    templateRef:", "    sources: [{name: app, resource: src}]\n    templateRef:")}`;
    expect(await validate(chain(resources))).toContain('when sources.app.revision is "a"');
  });

  it("says when there is too much to try", async () => {
    const requirements = (from: number): string =>
      `{matchFields: [${Array.from({ length: 8 }, (_, index) => `{key: 'workload.metadata.annotations.k${from + index}', operator: In, values: [a, b]}`).join(", ")}]}`;
    expect(await validate(chain(options(requirements(0), requirements(8))))).toContain(
      "blueprints.not-searched",
    );
  });
});

/** The spec of the example workload in the detail of a warning. */
function specOf(detail: string): unknown {
  const yaml = detail.slice(detail.indexOf("apiVersion"));
  const after = yaml.slice(yaml.indexOf("spec:"));
  return parse(after);
}

function parse(text: string): unknown {
  const parsed = parseYamlValue(text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return fieldAt(parsed.value, "spec");
}
