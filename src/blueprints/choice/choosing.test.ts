import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, type JsonValue, objectsIn } from "../../json/index.ts";
import { conditionLines, PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

function chain(name: string, spec: string, group = "kontinue.io"): string {
  return `apiVersion: ${group}/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: ${name}}\nspec:\n${spec}\n---\n`;
}

function template(
  name: string,
  group = "kontinue.io",
  kind = "ClusterTemplate",
  spec = "",
): string {
  return `apiVersion: ${group}/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {by: ${name}}}\n---\n`;
}

function workload(rest: string, group = "kontinue.io"): string {
  return `apiVersion: ${group}/v1alpha1\nkind: Workload\n${rest}\n`;
}

const step = "  resources: [{name: s, templateRef: {kind: ClusterTemplate, name: t}}]";

describe("which chain", () => {
  const chains =
    chain("a", `  selector: {app: web}\n${step}`) +
    chain("b", `  selector: {app: web, tier: front}\n${step}`) +
    chain(
      "c",
      `  selectorMatchFields: [{key: workload.spec.image, operator: Exists}]\n  selectorMatchExpressions: [{key: app, operator: DoesNotExist}]\n${step}`,
    ) +
    template("t");
  const cases: readonly (readonly [owner: string, expected: string])[] = [
    ["metadata: {name: w, labels: {app: web}}\nspec: {}", "a"],
    ["metadata: {name: w, labels: {app: web, tier: front}}\nspec: {}", "b"],
    ["metadata: {name: w}\nspec: {image: i}", "c"],
    ["metadata: {name: w, labels: {app: web}}\nspec: {image: i}", "a"],
    ["metadata: {name: w, labels: {app: api}}\nspec: {image: i}", "SupplyChainNotFound"],
    ["metadata: {name: w}\nspec: {}", "WorkloadLabelsMissing"],
  ];
  it.each(cases)("%s: %s", (owner, expected) => {
    const status = new PaperCluster(chains + workload(owner)).run();
    const chosen = (status["supplyChainRef"] as JsonObject | undefined)?.["name"];
    expect(chosen ?? conditionLines(status)[0]?.split(/[ :]+/)[2]).toBe(expected);
  });
});

describe("which option", () => {
  const options = `  selector: {app: web}
  resources:
    - name: s
      templateRef:
        kind: ClusterTemplate
        options:
          - {name: one, selector: {matchFields: [{key: KEY.image, operator: Exists}]}}
          - {name: two, selector: {matchFields: [{key: KEY.image, operator: Exists}, {key: KEY.serviceAccountName, operator: In, values: [x]}]}}
          - {name: three, selector: {matchLabels: {kind: third}}}`;
  const platform = (group: string, matching = "", key = "workload.spec"): string =>
    chain("chain", options.replaceAll("KEY", key) + matching, group) +
    ["one", "two", "three"].map((name) => template(name, group)).join("");
  const both = "metadata: {name: w, labels: {app: web}}\nspec: {image: i, serviceAccountName: x}";
  const tie = "metadata: {name: w, labels: {app: web, kind: third}}\nspec: {image: i}";
  const cases: readonly (readonly [
    group: string,
    matching: string,
    owner: string,
    expected: string,
  ])[] = [
    ["kontinue.io", "", both, "2 did: one, two"],
    ["kontinue.io", "\n  optionMatching: mostSpecific", both, "two"],
    ["carto.run", "", both, "two"],
    ["carto.run", "\n  optionMatching: exactlyOne", both, "[2] matching options [one, two]"],
    ["carto.run", "", tie, "[2] matching options [one, three]"],
    ["kontinue.io", "", "metadata: {name: w, labels: {app: web, kind: third}}\nspec: {}", "three"],
    ["carto.run", "", "metadata: {name: w, labels: {app: web}}\nspec: {}", "[0] matching options"],
    ["kontinue.io", "", "metadata: {name: w, labels: {app: web}}\nspec: {}", "none did"],
  ];
  it.each(cases)("%s%s %s: %s", (group, matching, owner, expected) => {
    const cluster = new PaperCluster(platform(group, matching) + workload(owner, group));
    const lines = conditionLines(cluster.run());
    const stamped = [...cluster.live.values()].map(({ metadata }) => metadata.name);
    const mismatch = /(?:none did|\d did: [^;]*)(?=;)|\[\d\] matching options(?: \[.*?\])?(?= for)/;
    expect(stamped[0] ?? mismatch.exec(lines[1] ?? "")?.[0]).toBe(expected);
  });

  it("keys of carto.run may leave the owner out", () => {
    const cluster = new PaperCluster(
      platform("carto.run", "", "spec") + workload(both, "carto.run"),
    );
    cluster.run();
    expect([...cluster.live.values()][0]?.metadata.name).toBe("two");
  });

  it("groups never mix", () => {
    const cluster = new PaperCluster(platform("carto.run") + workload(both, "carto.run"));
    cluster.run();
    expect(cluster.live.size).toBe(1);
  });

  it("the seed's alternative, by labels of the workload", () => {
    const spec = `  selector: {app: web}
  resources:
    - name: source-provider
      templateRef:
        kind: ClusterTemplate
        options:
          - {name: git, selector: {matchLabels: {app.tanzu.vmware.com/source-type: git}}}
          - {name: bundle, selector: {matchLabels: {app.tanzu.vmware.com/source-type: imgpkg-bundle}}}`;
    const cluster = new PaperCluster(
      chain("responsible-ops", spec) +
        template("git") +
        template("bundle") +
        workload(
          "metadata: {name: petclinic, labels: {app: web, app.tanzu.vmware.com/source-type: git}}\nspec: {}",
        ),
    );
    cluster.run();
    expect(cluster.done).toEqual(["apply source-provider ConfigMap git"]);
  });

  it("adding a field that nobody asks for never changes the choice", () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
    const name = fc.stringMatching(/^x[a-z]{0,6}$/);
    fc.assert(
      fc.property(
        fc.constantFrom("kontinue.io", "carto.run"),
        fc.subarray(["image: i", "serviceAccountName: x"]),
        fc.boolean(),
        name,
        json,
        (group, fields, isThird, extra, value) => {
          const owner = (more: string): string =>
            workload(
              `metadata: {name: w, labels: {app: web${isThird ? ", kind: third" : ""}}}\nspec: {${[...fields, ...(more === "" ? [] : [more])].join(", ")}}`,
              group,
            );
          const choose = (more: string): readonly unknown[] => {
            const cluster = new PaperCluster(platform(group) + owner(more));
            const status = cluster.run();
            return [cluster.done, conditionLines(status)];
          };
          expect(choose(`${extra}: ${JSON.stringify(value)}`)).toEqual(choose(""));
        },
      ),
    );
  });

  it("the same input always gives the same output", () => {
    fc.assert(
      fc.property(fc.subarray(["image: i", "serviceAccountName: x"]), (fields) => {
        const owner = workload(
          `metadata: {name: w, labels: {app: web}}\nspec: {${fields.join(", ")}}`,
        );
        const cluster = new PaperCluster(platform("kontinue.io") + owner);
        const { actions, status } = cluster.look();
        const again = cluster.look();
        expect([again.actions, again.status]).toEqual([actions, status]);
        const other = new PaperCluster(owner + "---\n" + platform("kontinue.io")).look();
        expect([other.actions, other.status]).toEqual([actions, status]);
      }),
    );
  });
});

describe("switching on what earlier steps emitted, and on parameters", () => {
  const spec = `  selector: {app: web}
  params: [{name: mode, default: fast}]
  resources:
    - {name: source, templateRef: {kind: ClusterSourceTemplate, name: source}}
    - name: build
      sources: [{name: app, resource: source}]
      templateRef:
        kind: ClusterTemplate
        options:
          - {name: java, selector: {matchFields: [{key: sources.app.revision, operator: In, values: [java]}, {key: params.mode, operator: In, values: [fast]}]}}
          - {name: slow, selector: {matchFields: [{key: params.mode, operator: In, values: [slow]}]}}
          - {name: other, selector: {matchFields: [{key: "sources['app'].revision", operator: NotIn, values: [java]}, {key: params.mode, operator: In, values: [fast]}]}}`;
  const source = template(
    "source",
    "kontinue.io",
    "ClusterSourceTemplate",
    "  urlPath: .data.by\n  revisionPath: .status.language",
  );
  const platform =
    chain("chain", spec) +
    source +
    ["java", "slow", "other"].map((name) => template(name)).join("");
  const owner = (params = ""): string =>
    workload(`metadata: {name: w, labels: {app: web}}\nspec: {${params}}`);

  it("waits until they are there, then chooses, and chooses again", () => {
    const cluster = new PaperCluster(platform + owner());
    const [, build] = cluster.run()["resources"] as JsonObject[];
    expect(conditionLines(build)[0]).toBe(
      "ResourceSubmitted Unknown WaitingForInputs: waiting for source",
    );
    cluster.statuses = { language: "java" };
    cluster.run();
    cluster.statuses = { language: "go" };
    cluster.run();
    expect(cluster.done).toEqual([
      "apply source ConfigMap source",
      "apply build ConfigMap java",
      "apply build ConfigMap other",
      "delete build ConfigMap java: no-longer-stamped",
    ]);
  });

  it("parameters of the owner count", () => {
    const cluster = new PaperCluster(platform + owner("params: [{name: mode, value: slow}]"));
    cluster.statuses = { language: "java" };
    cluster.run();
    expect(cluster.done.at(-1)).toBe("apply build ConfigMap slow");
  });
});

describe("passThrough", () => {
  const spec = `  selector: {app: web}
  resources:
    - {name: source, templateRef: {kind: ClusterSourceTemplate, name: source}}
    - name: test
      sources: [{name: app, resource: source}]
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - {name: tested, selector: {matchFields: [{key: workload.spec.image, operator: Exists}]}}
          - {passThrough: app, selector: {matchFields: [{key: workload.spec.image, operator: DoesNotExist}]}}
    - name: run
      sources: [{name: tested, resource: test}]
      templateRef: {kind: ClusterTemplate, name: run}`;
  const sources = ["source", "tested"]
    .map((name) =>
      template(
        name,
        "kontinue.io",
        "ClusterSourceTemplate",
        "  urlPath: .data.by\n  revisionPath: .metadata.name",
      ),
    )
    .join("");
  const run = template("run").replace("by: run", "by: $(source.url)$");
  const owner = (image: string): string =>
    workload(`metadata: {name: w, labels: {app: web}}\nspec: {${image}}`);

  it("hands an input on, and what was stamped before goes", () => {
    const cluster = new PaperCluster(chain("chain", spec) + sources + run + owner("image: i"));
    cluster.run();
    cluster.add(owner(""));
    const status = cluster.run();
    expect(cluster.done.slice(-2)).toEqual([
      "apply run ConfigMap run",
      "delete test ConfigMap tested: passed-through",
    ]);
    const [, test] = status["resources"] as JsonObject[];
    expect(conditionLines(test)).toEqual([
      "ResourceSubmitted True PassThrough",
      "Healthy True OutputsAvailable",
      "Ready True Ready",
    ]);
    expect(objectsIn(test?.["outputs"]).map((output) => output["preview"])).toEqual([
      "source\n",
      "source\n",
    ]);
    expect(test?.["stampedRef"]).toBeUndefined();
  });
});
