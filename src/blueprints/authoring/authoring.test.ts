import { describe, expect, it } from "vitest";
import { readObjectsFromText } from "../../objects/index.ts";
import { validatePlatform } from "../validation/validate-platform.ts";
import {
  allOf,
  choose,
  configTemplate,
  delivery,
  deploymentTemplate,
  doesNotExist,
  exists,
  hasLabel,
  imageTemplate,
  isIn,
  notIn,
  option,
  passThrough,
  sourceTemplate,
  supplyChain,
  template,
  toYaml,
} from "./index.ts";

const object = (kind: string) => ({ apiVersion: "example.com/v1", kind, metadata: { name: "x" } });
const git = sourceTemplate("git", {
  urlPath: ".url",
  revisionPath: ".rev",
  template: object("Git"),
});
const bundle = sourceTemplate("bundle", { urlPath: ".url", revisionPath: ".rev", ytt: "a: b" });
const kpack = imageTemplate("kpack", {
  imagePath: ".image",
  params: { registry: "reg.example" },
  lifecycle: "immutable",
  retentionPolicy: { maxFailedRuns: 1, maxSuccessfulRuns: 2 },
  template: { ...object("Build"), metadata: { generateName: "x-" } },
});
const conventions = configTemplate("conventions", { configPath: ".c", template: object("Conv") });
const app = template("app", { template: object("App"), healthRule: { alwaysHealthy: {} } });
const kapp = deploymentTemplate("kapp", {
  template: object("Kapp"),
  observedMatches: [{ input: "spec.a", output: "status.a" }],
});

describe("supply chains in TypeScript", () => {
  it("come out as the YAML that one would write", () => {
    const chain = supplyChain("web", { selector: { app: "web" } }, (step) => {
      const source = step(
        "source",
        choose(
          option(git, exists("workload.spec.source.git")),
          option(
            bundle,
            allOf(doesNotExist("workload.spec.source.git"), hasLabel("kind", "bundle")),
          ),
        ),
      );
      const tested = step(
        "test",
        choose(
          option(git, isIn("workload.spec.params[0].value", "yes", 1)),
          passThrough("source", "app", notIn("workload.spec.params[0].value", "yes", 1)),
        ),
        { sources: { app: source } },
      );
      const image = step("image", kpack, {
        sources: { source: tested },
        params: { registry: { value: "other" } },
      });
      const config = step("config", conventions, { images: { image } });
      step("run", app, { configs: { config } });
    });
    expect(chain.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ""}`)).toEqual([
      "ClusterSupplyChain web",
      "ClusterSourceTemplate git",
      "ClusterSourceTemplate bundle",
      "ClusterImageTemplate kpack",
      "ClusterConfigTemplate conventions",
      "ClusterTemplate app",
    ]);
    expect(toYaml(chain.slice(0, 1))).toBe(`apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata:
  name: web
spec:
  selector:
    app: web
  resources:
  - name: source
    templateRef:
      kind: ClusterSourceTemplate
      options:
      - name: git
        selector:
          matchFields:
          - key: workload.spec.source.git
            operator: Exists
      - name: bundle
        selector:
          matchFields:
          - key: workload.spec.source.git
            operator: DoesNotExist
          matchLabels:
            kind: bundle
  - name: test
    templateRef:
      kind: ClusterSourceTemplate
      options:
      - name: git
        selector:
          matchFields:
          - key: workload.spec.params[0].value
            operator: In
            values:
            - "yes"
            - 1
      - passThrough: app
        selector:
          matchFields:
          - key: workload.spec.params[0].value
            operator: NotIn
            values:
            - "yes"
            - 1
    sources:
    - name: app
      resource: source
  - name: image
    templateRef:
      kind: ClusterImageTemplate
      name: kpack
    params:
    - name: registry
      value: other
    sources:
    - name: source
      resource: test
  - name: config
    templateRef:
      kind: ClusterConfigTemplate
      name: conventions
    images:
    - name: image
      resource: image
  - name: run
    templateRef:
      kind: ClusterTemplate
      name: app
    configs:
    - name: config
      resource: config
`);
    expect(errorsOf(toYaml(chain))).toEqual([]);
  });

  it("deliveries, too, in either group", () => {
    const made = delivery("d", { group: "carto.run", selector: { app: "web" } }, (step) => {
      const source = step("source", git);
      const deployed = step("deploy", kapp, { deployment: source });
      step("verify", app, { sources: { deployed } });
    });
    expect(made[0]?.apiVersion).toBe("carto.run/v1alpha1");
    expect(errorsOf(toYaml(made))).toEqual([]);
  });
});

function errorsOf(yaml: string): readonly string[] {
  return validatePlatform(readObjectsFromText("made.yaml", yaml).objects)
    .filter(({ severity }) => severity === "error")
    .map(({ summary }) => summary);
}

/** What must not compile; `npm run check` fails when it does. */
export function wrong(): void {
  supplyChain("wrong", { selector: { app: "web" } }, (step) => {
    const source = step("source", git);
    const image = step("image", kpack, { sources: { source } });
    const run = step("run", app, { images: { image } });
    // @ts-expect-error an image is no source
    step("a", app, { sources: { source: image } });
    // @ts-expect-error a source is no image
    step("b", app, { images: { image: source } });
    // @ts-expect-error a source is no config
    step("c", app, { configs: { config: source } });
    // @ts-expect-error what emits nothing can be no input
    step("d", app, { sources: { source: run } });
    // @ts-expect-error options of one step emit the same
    step("e", choose(option(git, exists("workload.x")), option(kpack, exists("workload.y"))));
    // @ts-expect-error what is handed on must be an input
    step("f", choose(passThrough("source", "app", exists("workload.x"))));
    step("g", choose(passThrough("source", "app", exists("workload.x"))), {
      // @ts-expect-error … of that name
      sources: { other: source },
    });
    step("h", choose(passThrough("source", "app", exists("workload.x"))), {
      // @ts-expect-error … and of that kind
      sources: { app: image },
    });
    // @ts-expect-error a chain does not deploy
    step("i", kapp, { sources: { source } });
    // @ts-expect-error a key begins with what it looks at
    exists("wrkload.spec");
    // @ts-expect-error In needs a value
    isIn("workload.spec.image");
  });
  delivery("wrong", { selector: { app: "web" } }, (step) => {
    const source = step("source", git);
    // @ts-expect-error a deployment takes what it deploys
    step("deploy", kapp);
    // @ts-expect-error a delivery has no images
    step("image", kpack);
    // @ts-expect-error only a deployment takes a deployment
    step("run", app, { deployment: source });
  });
  // @ts-expect-error a source has a revision
  sourceTemplate("x", { urlPath: ".url", template: object("X") });
  // @ts-expect-error a template or ytt
  template("x", { template: object("X"), ytt: "" });
  // @ts-expect-error only runs are kept
  template("x", {
    template: object("X"),
    retentionPolicy: { maxFailedRuns: 1, maxSuccessfulRuns: 1 },
  });
}
