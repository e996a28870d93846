import { describe, expect, it } from "vitest";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { readObjectsFromText } from "../objects/index.ts";
import { readBundle } from "./read-bundle.ts";

function read(resources: string): { readonly order: readonly string[]; readonly said: string } {
  const text = `apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: shop }
spec:
  resources:
${resources}`;
  const [sourced] = readObjectsFromText("bundle.yaml", text).objects;
  if (sourced === undefined) throw new Error("no bundle");
  const { bundle, diagnostics } = readBundle(sourced.object, sourced.sourceOf);
  const said = renderDiagnostics(diagnostics)
    .split("\n")
    .filter((line) => /^(?:error|  at|  hint|.* waits for)/.test(line))
    .join("\n");
  return { order: bundle.resources.map(({ name }) => name), said };
}

const object = (name: string, value = "x"): string =>
  `{ object: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { value: "${value}" } } }`;

const annotated = (name: string, dependsOn: string): string =>
  `{ object: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, annotations: { config.kubernetes.io/depends-on: ${dependsOn} } } } }`;

const mistakes: readonly (readonly [what: string, resources: string, said: readonly string[]])[] = [
  [
    "a name that is none",
    `  - { name: Web, spec: ${object("web")} }`,
    [
      "error[bundle.invalid]",
      'the name "Web" of a resource is no name in lower case',
      "bundle.yaml:6",
    ],
  ],
  [
    "a name that is a large number",
    `  - { name: 9007199254740993, spec: ${object("web")} }`,
    ["the name 9007199254740993 of a resource is no name in lower case"],
  ],
  [
    "neither object nor plugin",
    "  - { name: web, spec: {} }",
    ["error[bundle.invalid]", "must have either an object or a plugin, and has neither"],
  ],
  [
    "a name that is known later",
    `  - { name: a, spec: ${object("a")} }
  - { name: b, references: [{ name: v, resource: a, path: data.value }], spec: ${object('"!{v}"')} }`,
    ["error[bundle.invalid]", "metadata.name of the object of b is only known later"],
  ],
  [
    "another namespace",
    "  - { name: a, spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: other } } } }",
    ["error[bundle.invalid]", 'in the namespace "other", and the bundle in default'],
  ],
  [
    "two of one name",
    `  - { name: a, spec: ${object("a")} }
  - { name: a, spec: ${object("b")} }`,
    ["error[bundle.duplicate-name]", "two resources are called a"],
  ],
  [
    "two that are one object",
    `  - { name: a, spec: ${object("same")} }
  - { name: b, spec: ${object("same")} }`,
    ["error[bundle.duplicate-name]", "a and b are the same object, ConfigMap same"],
  ],
  [
    "a resource that is not there",
    `  - { name: settings, spec: ${object("settings")} }
  - { name: web, dependsOn: [setings], spec: ${object("web")} }`,
    ["error[bundle.unknown-resource]", "web refers to setings", "did you mean settings?"],
  ],
  [
    "a circle",
    `  - { name: a, dependsOn: [b], spec: ${object("a")} }
  - { name: b, dependsOn: [a], spec: ${object("b")} }`,
    ["error[bundle.cycle]", "a waits for b", "b waits for a"],
  ],
  [
    "a circle by the annotation depends-on",
    `  - { name: a, dependsOn: [b], spec: ${object("a")} }
  - { name: b, spec: ${annotated("b", "/namespaces/default/ConfigMap/a")} }`,
    ["error[bundle.cycle]", "a waits for b", "b waits for a"],
  ],
  [
    "a reference that is not declared",
    `  - { name: a, spec: ${object("a", "!{colour}")} }`,
    [
      "error[bundle.invalid-reference]",
      "a uses !{colour}, and has no reference of that name",
      "write !!{colour}",
    ],
  ],
  [
    "a reference that is declared twice",
    `  - { name: a, spec: ${object("a")} }
  - { name: b, references: [{ name: v, resource: a, path: data.value }, { name: v, resource: a, path: data.value }], spec: ${object("b")} }`,
    ["error[bundle.invalid-reference]", "b has two references called v"],
  ],
  [
    "a name without a path",
    `  - { name: a, spec: ${object("a")} }
  - { name: b, references: [{ name: v, resource: a }], spec: ${object("b")} }`,
    ["error[bundle.invalid-reference]", "has a name and no path"],
  ],
  [
    "a path that is none",
    `  - { name: a, spec: ${object("a")} }
  - { name: b, references: [{ name: v, resource: a, path: "data[" }], spec: ${object("b")} }`,
    ["error[bundle.invalid-reference]", "has a path that cannot be used"],
  ],
  [
    "a modifier that is none",
    `  - { name: a, spec: ${object("a")} }
  - { name: b, references: [{ name: v, resource: a, path: data.value, modifier: secret }], spec: ${object("b")} }`,
    [
      "error[bundle.invalid-reference]",
      'has the modifier "secret"',
      "the modifiers are output and bindsecret",
    ],
  ],
];

describe("reading a bundle", () => {
  it("puts resources in the order in which they can be made", () => {
    const { order, said } = read(`  - { name: c, dependsOn: [b], spec: ${object("c")} }
  - { name: b, references: [{ name: v, resource: a, path: data.value }], spec: ${object("b", "!{v}, !!{v}")} }
  - { name: a, spec: ${object("a")} }`);
    expect(said).toBe("");
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("takes the first form of Smith: the object itself as spec, and texts that name their sources", () => {
    const text = `apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: shop }
spec:
  resources:
  - name: settings
    spec: { apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { port: "80" } }
  - name: web
    dependsOn: [settings, binding]
    spec:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: web, labels: "{{settings#metadata.labels}}" }
      data:
        port: "port {{settings#data/port}} of {{settings#data/port}}"
        password: '{{binding:bindsecret#password#"swordfish"}}'
        template: "{{other#field}} {{ .Values.x }}"
  - name: binding
    spec: { apiVersion: example.com/v1, kind: Binding, metadata: { name: binding } }
`;
    const [sourced] = readObjectsFromText("bundle.yaml", text).objects;
    if (sourced === undefined) throw new Error("no bundle");
    const { bundle, diagnostics } = readBundle(sourced.object, sourced.sourceOf);
    expect(diagnostics).toEqual([]);
    expect(bundle.resources.at(-1)).toEqual({
      name: "web",
      waitsFor: ["settings", "binding"],
      references: [
        { name: "settings-1", resource: "settings", path: "metadata.labels" },
        { name: "settings-2", resource: "settings", path: "data.port" },
        {
          name: "binding-3",
          resource: "binding",
          path: "data.password",
          modifier: "bindsecret",
          example: "swordfish",
        },
      ],
      target: {
        kind: "object",
        object: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "web", labels: "!{settings-1}" },
          data: {
            port: "port !{settings-2} of !{settings-2}",
            password: "!{binding-3}",
            template: "{{other#field}} {{ .Values.x }}",
          },
        },
      },
    });
  });

  it("says where something is wrong in the first form", () => {
    const { said } = read(
      "  - { name: a, spec: { apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: other } } }",
    );
    expect(said).toMatch(/bundle\.yaml:6:\d{2}/);
    expect(said).toContain('in the namespace "other", and the bundle in default');
  });

  it("takes the annotation depends-on of objects for an order, too", () => {
    const { order, said } =
      read(`  - { name: b, spec: ${annotated("b", "/namespaces/default/ConfigMap/a")} }
  - { name: a, spec: ${annotated("a", "/namespaces/other/ConfigMap/b")} }`);
    expect(said).toBe("");
    expect(order).toEqual(["a", "b"]);
  });

  it.each(mistakes)("says what is wrong: %s", (_what, resources, expected) => {
    const { said } = read(resources);
    for (const text of expected) expect(said).toContain(text);
  });
});

describe("the service account of a bundle", () => {
  const accountOf = (name: unknown) => {
    const spec = { resources: [], ...(name === undefined ? {} : { serviceAccountName: name }) };
    const { bundle, diagnostics } = readBundle({
      apiVersion: "smith.atlassian.com/v1",
      kind: "Bundle",
      metadata: { name: "shop", namespace: "apps" },
      spec,
    });
    return [bundle.serviceAccount, diagnostics.map(({ code }) => code)];
  };

  it.each([
    [undefined, "default"],
    ["deployer", "deployer"],
    ["a.b-c", "a.b-c"],
  ])("%j means %s", (name, expected) => {
    expect(accountOf(name)).toEqual([expected, []]);
  });

  it.each(["", "..", "../x", "kube-system/admin", "Admin", "a b", 5, null, {}, "a".repeat(254)])(
    "%j is refused",
    (name) => {
      expect(accountOf(name)).toEqual(["default", ["bundle.invalid"]]);
    },
  );
});
