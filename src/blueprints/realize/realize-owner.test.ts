import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fieldAt, type JsonObject, objectsIn } from "../../json/index.ts";
import { conditionLines, PaperCluster } from "../../../test/blueprints/paper-cluster.ts";

/** A platform of three steps: where the source is, what is built of it, what runs. */
const platform = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: responsible-ops}
spec:
  selector: {app: web}
  params: [{name: registry, default: reg.example}]
  resources:
    - name: source-provider
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - name: git-template
            selector: {matchFields: [{key: workload.spec.source.git, operator: Exists}]}
          - name: imgpkg-bundle-template
            selector: {matchFields: [{key: workload.spec.source.image, operator: Exists}]}
    - name: image-builder
      templateRef: {kind: ClusterImageTemplate, name: kpack}
      sources: [{name: source, resource: source-provider}]
    - name: runner
      templateRef: {kind: ClusterTemplate, name: app}
      images: [{name: image, resource: image-builder}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: git-template}
spec:
  urlPath: .status.artifact.url
  revisionPath: .status.artifact.revision
  healthRule: {alwaysHealthy: {}}
  template:
    apiVersion: source.example/v1
    kind: GitRepository
    metadata: {name: $(workload.metadata.name)$}
    spec: {url: $(workload.spec.source.git.url)$, ref: $(workload.spec.source.git.ref)$}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: imgpkg-bundle-template}
spec:
  urlPath: .spec.image
  revisionPath: .spec.image
  template:
    apiVersion: source.example/v1
    kind: ImageRepository
    metadata: {name: $(workload.metadata.name)$}
    spec: {image: $(workload.spec.source.image)$}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack}
spec:
  imagePath: .status.latestImage
  params: [{name: registry, default: nowhere}]
  template:
    apiVersion: kpack.example/v1
    kind: Image
    metadata: {name: $(workload.metadata.name)$}
    spec: {tag: "$(params.registry)$/$(workload.metadata.name)$", source: {url: $(source.url)$, revision: $(sources.source.revision)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: app}
spec:
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-app, labels: {mine: "yes"}}
    data: {image: $(image)$}
---
`;
const petclinic = `
apiVersion: kontinue.io/v1alpha1
kind: Workload
metadata: {name: petclinic, labels: {app: web}}
spec:
  source: {git: {url: https://example.com/petclinic.git, ref: {branch: main}}}
`;

function steps(status: JsonObject): readonly JsonObject[] {
  return status["resources"] as JsonObject[];
}

describe("a workload on its way through a chain", () => {
  it("goes step by step as outputs come, and waits in words", () => {
    const cluster = new PaperCluster(platform + petclinic);
    const first = cluster.run();
    expect(cluster.done).toEqual(["apply source-provider GitRepository petclinic"]);
    expect(conditionLines(first)).toEqual([
      "SupplyChainReady True Ready",
      "ResourcesSubmitted Unknown MissingValueAtPath: waiting to read value [.status.artifact.url] from resource [gitrepositorys/petclinic] in namespace [apps]",
      "ResourcesHealthy True HealthyConditionRule",
      "Ready Unknown MissingValueAtPath: waiting to read value [.status.artifact.url] from resource [gitrepositorys/petclinic] in namespace [apps]",
    ]);
    expect(steps(first).map((step) => conditionLines(step)[0])).toEqual([
      "ResourceSubmitted Unknown MissingValueAtPath: waiting to read value [.status.artifact.url] from resource [gitrepositorys/petclinic] in namespace [apps]",
      "ResourceSubmitted Unknown WaitingForInputs: waiting for source-provider",
      "ResourceSubmitted Unknown WaitingForInputs: waiting for image-builder",
    ]);

    cluster.now = "2026-06-01T00:01:00Z";
    cluster.statuses = { artifact: { url: "http://files/1", revision: "main/abc" } };
    cluster.run();
    expect(cluster.done.at(-1)).toBe("apply image-builder Image petclinic");

    cluster.statuses = {
      artifact: { url: "http://files/1", revision: "main/abc" },
      latestImage: "reg.example/petclinic@sha256:1",
    };
    cluster.now = "2026-06-01T00:02:00Z";
    const last = cluster.run();
    expect(cluster.done.at(-1)).toBe("apply runner ConfigMap petclinic-app");
    expect(conditionLines(last)).toEqual([
      "SupplyChainReady True Ready",
      "ResourcesSubmitted True ResourceSubmissionComplete",
      "ResourcesHealthy True HealthyConditionRule",
      "Ready True Ready",
    ]);
    expect(steps(last)[0]).toEqual({
      name: "source-provider",
      stampedRef: {
        apiVersion: "source.example/v1",
        kind: "GitRepository",
        namespace: "apps",
        name: "petclinic",
        resource: "gitrepositorys",
      },
      templateRef: {
        apiVersion: "kontinue.io/v1alpha1",
        kind: "ClusterSourceTemplate",
        name: "git-template",
      },
      inputs: [],
      outputs: [
        {
          name: "url",
          preview: "http://files/1\n",
          digest: "sha256:5c0fd2d4e2a339c394ee9036367d7e66609f06390cc7d8ec52d9a0766debeaa4",
          lastTransitionTime: "2026-06-01T00:01:00Z",
        },
        {
          name: "revision",
          preview: "main/abc\n",
          digest: "sha256:32347b43c128b2a9142c9d07541edb8b0afed36331812fd1799f62a371e504e4",
          lastTransitionTime: "2026-06-01T00:01:00Z",
        },
      ],
      conditions: [
        {
          type: "ResourceSubmitted",
          status: "True",
          reason: "ResourceSubmissionComplete",
          message: "",
          lastTransitionTime: "2026-06-01T00:01:00Z",
        },
        {
          type: "Healthy",
          status: "True",
          reason: "AlwaysHealthy",
          message: "",
          lastTransitionTime: "2026-06-01T00:00:00Z",
        },
        {
          type: "Ready",
          status: "True",
          reason: "Ready",
          message: "",
          lastTransitionTime: "2026-06-01T00:01:00Z",
        },
      ],
    });
    expect(steps(last)[1]?.["inputs"]).toEqual([{ name: "source-provider" }]);
    expect(last["supplyChainRef"]).toEqual({
      apiVersion: "kontinue.io/v1alpha1",
      kind: "ClusterSupplyChain",
      name: "responsible-ops",
    });
  });

  it("stamps into the owner's namespace, with labels, owner and account", () => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.run();
    const { metadata, ...rest } = [...cluster.live.values()][0] ?? {};
    expect(rest).toEqual({
      apiVersion: "source.example/v1",
      kind: "GitRepository",
      spec: { url: "https://example.com/petclinic.git", ref: { branch: "main" } },
    });
    expect(metadata).toMatchObject({
      name: "petclinic",
      namespace: "apps",
      labels: {
        "carto.run/workload-name": "petclinic",
        "carto.run/workload-namespace": "apps",
        "carto.run/supply-chain-name": "responsible-ops",
        "carto.run/resource-name": "source-provider",
        "carto.run/template-kind": "ClusterSourceTemplate",
        "carto.run/cluster-template-name": "git-template",
        "carto.run/template-lifecycle": "mutable",
      },
      annotations: { "keelson.dev/service-account": "apps/default" },
      ownerReferences: [
        {
          apiVersion: "kontinue.io/v1alpha1",
          kind: "Workload",
          name: "petclinic",
          uid: "uid-petclinic",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
  });

  it("does nothing the second time, and its status stays to the letter", () => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.run();
    cluster.statuses = { artifact: { url: "u", revision: "r" }, latestImage: "i" };
    const status = cluster.run();
    const done = cluster.done.length;
    cluster.now = "2026-07-01T00:00:00Z";
    expect(cluster.run()).toEqual(status);
    expect(cluster.done).toHaveLength(done);
  });

  it("notices a stamped object that changes later, and what somebody edited", () => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.run();
    cluster.statuses = { artifact: { url: "u", revision: "1" }, latestImage: "i1" };
    cluster.run();
    cluster.statuses = { artifact: { url: "u", revision: "2" }, latestImage: "i2" };
    cluster.now = "2026-06-02T00:00:00Z";
    const status = cluster.run();
    expect(cluster.done.slice(-2)).toEqual([
      "apply image-builder Image petclinic",
      "apply runner ConfigMap petclinic-app",
    ]);
    expect(
      objectsIn(steps(status)[0]?.["outputs"]).map((output) => output["lastTransitionTime"]),
    ).toEqual(["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"]);
    const key = [...cluster.live.keys()].find((each) => each.includes("ConfigMap")) ?? "";
    cluster.live.set(key, { ...cluster.live.get(key), data: { image: "edited" } } as never);
    cluster.run();
    expect(cluster.done.at(-1)).toBe("apply runner ConfigMap petclinic-app");
    expect(fieldAt(cluster.live.get(key), "data", "image")).toBe("i2");
  });
});

describe("a server that writes it otherwise", () => {
  it("is not asked for the same again, and is when something changes", () => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.statuses = { artifact: { url: "u", revision: "r" }, latestImage: "i" };
    // Takes every annotation away, and changes what was asked for.
    cluster.admit = (object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: {} },
      spec: { admitted: true },
    });
    cluster.run();
    expect(cluster.done).toHaveLength(3);
    cluster.run();
    expect(cluster.done).toHaveLength(3);
    cluster.add(petclinic.replace("branch: main", "branch: next")).run();
    expect(cluster.done).toHaveLength(4);
  });
});

describe("what a step no longer stamps is deleted", () => {
  const ready = (): PaperCluster => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.run();
    cluster.statuses = { artifact: { url: "u", revision: "r" }, latestImage: "i" };
    cluster.run();
    cluster.done.length = 0;
    return cluster;
  };

  it("option switched", () => {
    const cluster = ready().add(
      petclinic.replace(/source: .*/, "source: {image: reg.example/source}"),
    );
    cluster.run();
    expect(cluster.done).toEqual([
      "apply source-provider ImageRepository petclinic",
      "apply image-builder Image petclinic",
      "delete source-provider GitRepository petclinic: no-longer-stamped",
    ]);
  });

  it("object renamed by its template", () => {
    const cluster = ready().add(
      platform.replace("$(workload.metadata.name)$-app", "$(workload.metadata.name)$-other"),
    );
    cluster.run();
    expect(cluster.done).toEqual([
      "apply runner ConfigMap petclinic-other",
      "delete runner ConfigMap petclinic-app: no-longer-stamped",
    ]);
  });

  it("template renamed: the object stays when the new one stamps it too", () => {
    const cluster = ready().add(platform.replaceAll("name: app}", "name: other}"));
    cluster.run();
    expect(cluster.done).toEqual(["apply runner ConfigMap petclinic-app"]);
  });

  it("step removed", () => {
    const cluster = ready().add(platform.replace(/ {4}- name: runner\n.*\n.*\n/, ""));
    cluster.run();
    expect(cluster.done).toEqual(["delete runner ConfigMap petclinic-app: step-removed"]);
  });

  it("chain deleted", () => {
    const cluster = ready().remove("ClusterSupplyChain", "responsible-ops");
    const status = cluster.run();
    expect(cluster.done.toSorted()).toEqual([
      "delete image-builder Image petclinic: no-blueprint",
      "delete runner ConfigMap petclinic-app: no-blueprint",
      "delete source-provider GitRepository petclinic: no-blueprint",
    ]);
    expect(conditionLines(status)).toEqual([
      "SupplyChainReady False SupplyChainNotFound: no supply chain found where full selector is satisfied",
      "Ready False SupplyChainNotFound: no supply chain found where full selector is satisfied",
    ]);
    expect(status["resources"]).toEqual([]);
  });

  it("but nothing while it is not clear what is to be stamped", () => {
    for (const change of [
      petclinic.replace(/source: .*/, "source: {}"),
      petclinic.replace("{git:", "{image: both, git:"),
      platform
        .replace("resource: source-provider}]", "resource: runner}]")
        .replace(
          "images: [{name: image, resource: image-builder}]",
          "sources: [{name: s, resource: image-builder}]",
        ),
    ]) {
      const cluster = ready().add(change);
      cluster.run();
      expect(cluster.done).toEqual([]);
      expect(cluster.live.size).toBe(3);
    }
  });
});

describe("reasons", () => {
  const cases: readonly (readonly [
    what: string,
    change: (yaml: string) => string,
    expected: string,
  ])[] = [
    [
      "no chain",
      (yaml) => yaml.replace("labels: {app: web}", "labels: {app: api}"),
      "SupplyChainReady False SupplyChainNotFound: no supply chain found where full selector is satisfied: responsible-ops (label app = web: no)",
    ],
    [
      "no labels",
      (yaml) => yaml.replace(", labels: {app: web}}", "}"),
      "SupplyChainReady False WorkloadLabelsMissing: workload has no labels; no supply chain found where full selector is satisfied: responsible-ops (label app = web: no)",
    ],
    [
      "two chains",
      (yaml) =>
        `${yaml}\n---\n${platform.slice(0, platform.indexOf("---")).replace("responsible-ops", "another")}`,
      "SupplyChainReady False MultipleSupplyChainMatches: workload may only match a single supply chain's selector, it matches equally well: another, responsible-ops",
    ],
    [
      "template missing",
      (yaml) => yaml.replace("metadata: {name: kpack}", "metadata: {name: other}"),
      "SupplyChainReady False TemplatesNotFound: did not find the template of the resource(s) [image-builder]",
    ],
    [
      "template in a namespace",
      (yaml) => yaml.replace("-app, labels", "-app, namespace: x, labels"),
      "SupplyChainReady False NamespaceForbidden: template ClusterTemplate app sets metadata.namespace; objects are stamped into the namespace of their owner",
    ],
    [
      "a cycle",
      (yaml) =>
        yaml.replace(
          "templateRef: {kind: ClusterTemplate, name: app}",
          "templateRef: {kind: ClusterTemplate, name: app}\n      sources: [{name: s, resource: runner}]",
        ),
      "SupplyChainReady False CyclicInputs: steps wait for each other: runner → runner",
    ],
    [
      "equal selectors",
      (yaml) => yaml.replace("workload.spec.source.image", "workload.spec.source.git"),
      "SupplyChainReady False EqualSelectors: options of resource [source-provider] have equal selectors: git-template, imgpkg-bundle-template",
    ],
    [
      "no option",
      (yaml) => yaml.replace(/source: \{git: \{url: https.*/, "source: {}"),
      "ResourcesSubmitted False TemplateOptionsMatchError: exactly one option must match for resource [source-provider] in supply chain [responsible-ops], none did; git-template (workload.spec.source.git Exists: no); imgpkg-bundle-template (workload.spec.source.image Exists: no)",
    ],
    [
      "two options",
      (yaml) => yaml.replace("source: {git: {url: https", "source: {image: i, git: {url: https"),
      "ResourcesSubmitted False TemplateOptionsMatchError: exactly one option must match for resource [source-provider] in supply chain [responsible-ops], 2 did: git-template, imgpkg-bundle-template; git-template (workload.spec.source.git Exists: yes); imgpkg-bundle-template (workload.spec.source.image Exists: yes)",
    ],
    [
      "an option that cannot be judged",
      (yaml) => yaml.replace("key: workload.spec.source.git,", 'key: "workload.spec.source[",'),
      "ResourcesSubmitted False ResolveTemplateOptionsError: error matching against template option [git-template] for resource [source-provider] in supply chain [responsible-ops]: the JSON path workload.spec.source[ cannot be parsed: a bracket is not closed",
    ],
    [
      "a path of a template that cannot be read",
      (yaml) => yaml.replace("urlPath: .status.artifact.url", 'urlPath: ".status["'),
      "ResourcesSubmitted False TemplateObjectRetrievalFailure: unable to get template [git-template] for resource [source-provider] in supply chain [responsible-ops]: the JSON path .status[ cannot be parsed: a bracket is not closed",
    ],
    [
      "a tag that leads nowhere",
      (yaml) =>
        yaml.replace("$(workload.spec.source.git.ref)$", () => "$(workload.spec.source.git.reff)$"),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [source-provider] for template [ClusterSourceTemplate/git-template] in supply chain [responsible-ops]: at spec.ref: $(workload.spec.source.git.reff)$ leads nowhere",
    ],
    [
      "a tag that leads to two",
      (yaml) =>
        yaml.replace("$(workload.spec.source.git.ref)$", () => '"$(workload.spec.source.git.*)$"'),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [source-provider] for template [ClusterSourceTemplate/git-template] in supply chain [responsible-ops]: at spec.ref: $(workload.spec.source.git.*)$ leads to 2 values, and must lead to one",
    ],
    [
      "two steps that stamp the same object",
      (yaml) =>
        yaml
          .replace("urlPath: .status.artifact.url", "urlPath: .spec.url")
          .replace("revisionPath: .status.artifact.revision", "revisionPath: .spec.url")
          .replace(
            "apiVersion: kpack.example/v1\n    kind: Image",
            "apiVersion: source.example/v1\n    kind: GitRepository",
          ),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [image-builder] in supply chain [responsible-ops]: GitRepository.source.example apps/petclinic is what resource [source-provider] stamps",
    ],
    [
      "a kind without namespace",
      (yaml) => yaml.replace("kind: GitRepository", "kind: Namespace"),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [source-provider] for template [ClusterSourceTemplate/git-template] in supply chain [responsible-ops]: Namespace belongs to no namespace, and so cannot belong to the Workload that it is stamped for",
    ],
    [
      "an immutable template without generateName",
      (yaml) => yaml.replace("healthRule: {alwaysHealthy: {}}", "lifecycle: immutable"),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [source-provider] for template [ClusterSourceTemplate/git-template] in supply chain [responsible-ops]: the template sets no metadata.generateName, which the lifecycle immutable needs: there is one object for every distinct content",
    ],
    [
      "ytt that is not there",
      (yaml) =>
        yaml.replace(
          / {2}template:\n {4}apiVersion: source.example\/v1\n {4}kind: GitRepository\n.*\n.*\n/,
          '  ytt: "a: b"\n',
        ),
      "ResourcesSubmitted False TemplateStampFailure: unable to stamp object for resource [source-provider] for template [ClusterSourceTemplate/git-template] in supply chain [responsible-ops]: ytt is not here",
    ],
  ];
  it.each(cases)("%s", (_what, change, expected) => {
    const status = new PaperCluster(change(platform + petclinic)).run();
    const lines = conditionLines(status);
    expect(lines.join("\n")).toContain(expected);
    expect(lines.at(-1)).toBe(`Ready ${expected.slice(expected.indexOf(" ") + 1)}`);
  });

  it("rejected by the API server: siblings go on, and it is tried again next time", () => {
    const cluster = new PaperCluster(platform + petclinic);
    cluster.refuse = ({ kind }) => (kind === "GitRepository" ? "it is forbidden" : undefined);
    const status = cluster.run();
    expect(conditionLines(status)[1]).toBe(
      "ResourcesSubmitted False TemplateRejectedByAPIServer: unable to apply object [apps/petclinic] for resource [source-provider] in supply chain [responsible-ops]: it is forbidden",
    );
    cluster.refuse = () => undefined;
    cluster.run();
    expect(cluster.done).toEqual(["apply source-provider GitRepository petclinic"]);
  });
});

describe("secrets", () => {
  const secret = platform
    .replace("kind: GitRepository", "kind: Secret")
    .replace("apiVersion: source.example/v1\n    kind: Secret", "apiVersion: v1\n    kind: Secret")
    .replace(
      "    spec: {url: $(workload.spec.source.git.url)$, ref: $(workload.spec.source.git.ref)$}",
      () => "    stringData: {password: hunter2}",
    )
    .replace("urlPath: .status.artifact.url", "urlPath: .stringData.password")
    .replace("revisionPath: .status.artifact.revision", "revisionPath: .stringData.password");

  it("are handed on, and shown nowhere", () => {
    const cluster = new PaperCluster(secret + petclinic);
    const status = cluster.run();
    expect(JSON.stringify([...cluster.live.values()].at(-1))).toContain("hunter2");
    expect(JSON.stringify(status)).not.toContain("hunter2");
    const hash = createHash("sha256").update("hunter2\n").digest("hex");
    expect(JSON.stringify(status)).not.toContain(hash);
    expect(objectsIn(steps(status)[0]?.["outputs"]).map((output) => output["preview"])).toEqual([
      "***",
      "***",
    ]);
  });
});
