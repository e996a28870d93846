import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ran, runKeelson } from "./run-keelson.ts";

const platform = `apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: responsible-ops}
spec:
  selector: {app: web}
  resources:
  - name: source-provider
    templateRef:
      kind: ClusterSourceTemplate
      options:
      - name: git-template
        selector: {matchFields: [{key: workload.spec.source.git, operator: Exists}]}
      - name: bundle-template
        selector: {matchFields: [{key: workload.spec.source.image, operator: Exists}]}
  - name: builder
    sources: [{name: source, resource: source-provider}]
    templateRef:
      kind: ClusterImageTemplate
      options:
      - name: kpack
        selector: {matchFields: [{key: sources.source.revision, operator: NotIn, values: [none]}]}
      - name: kaniko
        selector: {matchFields: [{key: sources.source.revision, operator: In, values: [none]}]}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: apis}
spec:
  selector: {app: api}
  resources: [{name: source, templateRef: {kind: ClusterSourceTemplate, name: git-template}}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: git-template}
spec:
  urlPath: .status.artifact.url
  revisionPath: .status.artifact.revision
  template: {apiVersion: source.example/v1, kind: GitRepository, metadata: {name: $(workload.metadata.name)$}, spec: {url: $(workload.spec.source.git.url)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: bundle-template}
spec:
  urlPath: .spec.image
  revisionPath: .spec.image
  template: {apiVersion: source.example/v1, kind: ImageRepository, metadata: {name: $(workload.metadata.name)$}, spec: {image: $(workload.spec.source.image)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack}
spec:
  imagePath: .status.image
  template: {apiVersion: kpack.example/v1, kind: Image, metadata: {name: $(workload.metadata.name)$}, spec: {from: "$(source.url)$@$(source.revision)$"}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kaniko}
spec:
  imagePath: .status.image
  template: {apiVersion: kpack.example/v1, kind: Image, metadata: {name: $(workload.metadata.name)$}, spec: {url: $(source.url)$}}
`;

const workload = (source: string, labels = "{app: web}"): string =>
  `apiVersion: kontinue.io/v1alpha1\nkind: Workload\nmetadata: {name: petclinic, labels: ${labels}}\nspec: {source: ${source}}\n`;

describe("keelson explain", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-explain-"));
  beforeAll(() => {
    writeFileSync(join(folder, "platform.yaml"), platform);
    writeFileSync(join(folder, "git.yaml"), workload("{git: {url: u}}"));
    writeFileSync(join(folder, "image.yaml"), workload("{image: i}"));
    writeFileSync(join(folder, "both.yaml"), workload("{image: i, git: {url: u}}"));
    writeFileSync(join(folder, "job.yaml"), workload("{git: {url: u}}", "{app: job}"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const explain = (line: string): Promise<Ran> =>
    runKeelson(["explain", ...line.split(" ")], { workingDirectory: folder });

  it("tells the whole way, with each verdict and what would be stamped", async () => {
    const { code, stdout } = await explain("image.yaml -f platform.yaml");
    expect(code).toBe(0);
    expect(stdout).toBe(`Workload petclinic is served by supply chain responsible-ops
  apis             no      label app = api: no
  responsible-ops  chosen  label app = web: yes

1 source-provider: ClusterSourceTemplate bundle-template
    git-template     no       workload.spec.source.git Exists: no
    bundle-template  matches  workload.spec.source.image Exists: yes
    emits url i, revision i

    apiVersion: source.example/v1
    kind: ImageRepository
    metadata:
      name: petclinic
      namespace: default
      labels:
        carto.run/workload-name: petclinic
        carto.run/workload-namespace: default
        carto.run/supply-chain-name: responsible-ops
        carto.run/resource-name: source-provider
        carto.run/template-kind: ClusterSourceTemplate
        carto.run/cluster-template-name: bundle-template
        carto.run/template-lifecycle: mutable
      annotations:
        keelson.dev/service-account: default/default
      ownerReferences:
      - apiVersion: kontinue.io/v1alpha1
        kind: Workload
        name: petclinic
        uid: <uid of Workload petclinic>
        controller: true
        blockOwnerDeletion: true
    spec:
      image: i

2 builder: ClusterImageTemplate kpack
    kpack   matches  sources.source.revision NotIn ["none"]: yes
    kaniko  no       sources.source.revision In ["none"]: no
    takes source source from source-provider
    emits image (not known yet)

    apiVersion: kpack.example/v1
    kind: Image
    metadata:
      name: petclinic
      namespace: default
      labels:
        carto.run/workload-name: petclinic
        carto.run/workload-namespace: default
        carto.run/supply-chain-name: responsible-ops
        carto.run/resource-name: builder
        carto.run/template-kind: ClusterImageTemplate
        carto.run/cluster-template-name: kpack
        carto.run/template-lifecycle: mutable
      annotations:
        keelson.dev/service-account: default/default
      ownerReferences:
      - apiVersion: kontinue.io/v1alpha1
        kind: Workload
        name: petclinic
        uid: <uid of Workload petclinic>
        controller: true
        blockOwnerDeletion: true
    spec:
      from: i@i
`);
  });

  it("says what only the cluster will know", async () => {
    const { code, stdout } = await explain("git.yaml -f platform.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("    emits url (not known yet), revision (not known yet)\n");
    expect(stdout).toContain("2 builder: decided when source-provider has emitted\n");
    expect(stdout).toContain(
      '    kpack   not known  sources.source.revision NotIn ["none"]: not known yet\n',
    );
  });

  it("and shows what is not known in what would be stamped", async () => {
    const fixed = platform.replace(
      /options:\n {6}- name: kpack\n[\s\S]*?values: \[none\]\}\]\}\n---/,
      "name: kpack\n---",
    );
    writeFileSync(join(folder, "fixed.yaml"), fixed);
    const { stdout } = await explain("git.yaml -f fixed.yaml");
    expect(stdout).toContain(
      "      from: <url of source-provider, not known yet>@<revision of source-provider, not known yet>\n",
    );
  });

  it("fails when a workload would not get through", async () => {
    const both = await explain("both.yaml -f platform.yaml");
    expect(both.code).toBe(2);
    expect(both.stdout).toContain("1 source-provider: 2 options match, where one must\n");
    const none = await explain("job.yaml -f platform.yaml");
    expect(none.code).toBe(2);
    expect(none.stdout).toBe(`no supply chain serves Workload petclinic
  apis             no  label app = api: no
  responsible-ops  no  label app = web: no
`);
  });

  it.each([
    ["spec.source.git", "no prefix"],
    ["foo.spec.source.git", "another prefix"],
    ["deliverable.spec.source.git", "the prefix of another owner"],
  ])("refuses what validate refuses: a key %s with %s", async (key) => {
    writeFileSync(
      join(folder, "odd.yaml"),
      platform.replace("key: workload.spec.source.git,", `key: ${key},`),
    );
    const explained = await explain("image.yaml -f odd.yaml");
    const validated = await runKeelson(["validate", "odd.yaml"], { workingDirectory: folder });
    expect([explained.code, validated.code]).toEqual([1, 1]);
    expect(explained.stdout).toBe("");
    const [message = ""] = validated.stderr.split("\n");
    expect(message).toContain("error[");
    expect(explained.stderr).toContain(message);
  });

  it("compares two workloads", async () => {
    const { code, stdout } = await explain("image.yaml -f platform.yaml --diff both.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "source-provider: ClusterSourceTemplate bundle-template → 2 options match, where one must\n    workload.spec.source.git Exists: yes\n",
    );
    expect((await explain("git.yaml -f platform.yaml --diff git.yaml")).stdout).toBe(
      "nothing is different for Workload petclinic\n",
    );
  });

  it("draws the way", async () => {
    expect((await explain("image.yaml -f platform.yaml --graph mermaid")).stdout).toBe(`flowchart RL
    n0["source-provider
ClusterSourceTemplate bundle-template"]
    n1["builder
ClusterImageTemplate kpack"]
  n1 --> n0
  style n0 fill:#d3f0d8
  style n1 fill:#d3f0d8
`);
    const { stdout: svg } = await explain("both.yaml -f platform.yaml --graph svg");
    for (const part of ["<svg ", "builder", "#f8d0d0", "</svg>"]) expect(svg).toContain(part);
  });

  it("speaks JSON", async () => {
    const { stdout } = await explain("image.yaml -f platform.yaml --output json");
    const [choice, first] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(choice).toMatchObject({
      type: "choice",
      outcome: "chosen",
      blueprint: "responsible-ops",
    });
    expect(first).toMatchObject({
      type: "step",
      name: "source-provider",
      result: { kind: "stamped", template: "bundle-template", object: { kind: "ImageRepository" } },
      outputs: [
        { name: "url", value: "i" },
        { name: "revision", value: "i" },
      ],
    });
  });

  it("explains deliverables, too", async () => {
    writeFileSync(
      join(folder, "deliverable.yaml"),
      `apiVersion: carto.run/v1alpha1
kind: Deliverable
metadata: {name: app}
spec: {source: {image: i}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterDelivery
metadata: {name: images}
spec:
  selectorMatchFields: [{key: spec.source.image, operator: Exists}]
  resources:
  - {name: source, templateRef: {kind: ClusterSourceTemplate, name: source}}
  - {name: deploy, templateRef: {kind: ClusterDeploymentTemplate, name: deploy}, deployment: {resource: source}}
  - {name: verify, templateRef: {kind: ClusterTemplate, name: gone}, sources: [{name: done, resource: deploy}]}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: source}
spec:
  urlPath: .data.image
  revisionPath: .status.revision
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: s}, data: {image: $(deliverable.spec.source.image)$}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterDeploymentTemplate
metadata: {name: deploy}
spec:
  observedMatches: [{input: data.a, output: data.b}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {a: $(deployment.url)$, b: $(deployment.revision)$}}
`,
    );
    const { code, stdout } = await explain("deliverable.yaml");
    expect(code).toBe(2);
    for (const text of [
      "Deliverable app is served by delivery images\n",
      "  images  chosen  spec.source.image Exists: yes\n",
      "it cannot serve anybody: did not find the template of the resource(s) [verify]\n",
      "      a: i\n      b: <revision of source, not known yet>\n",
      "    takes source done from deploy\n",
      "3 verify: there is no ClusterTemplate gone\n",
    ])
      expect(stdout).toContain(text);
  });

  const refusals: readonly (readonly [line: string, expected: string])[] = [
    ["platform.yaml -f platform.yaml", "blueprints.no-owner"],
    ["git.yaml", "blueprints.no-blueprint"],
    ["nowhere.yaml -f platform.yaml", "objects.file-missing"],
  ];
  it.each(refusals)("%s: %s", async (line, expected) => {
    const { code, stderr } = await explain(line);
    expect(code).toBe(1);
    expect(stderr).toContain(expected);
  });
});
