/** helm and kustomize for real: the chart and the kustomizations are written by the test. */
import { beforeAll, describe, expect, it } from "vitest";
import { runTiltfile, runToComponents, workload, type Files } from "./run-tiltfile.ts";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";

let programs: { readonly helm: string; readonly kubectl: string };
beforeAll(async () => {
  programs = { helm: await helmPath(), kubectl: await kubectlPath() };
}, 120_000);

const chart: Files = {
  "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "chart/values.yaml": "replicas: 1\nimage: shop/web\n",
  "chart/templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-web"}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "{{ .Values.image }}"}]}
`,
  "chart/templates/role.yaml":
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: shop}\nrules: []\n",
  "chart/templates/kube.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube, namespace: kept}\ndata: {version: "{{ .Capabilities.KubeVersion }}"}\n',
  "chart/templates/tests/try.yaml":
    "apiVersion: v1\nkind: Pod\nmetadata: {name: try}\nspec: {containers: [{name: t, image: t}]}\n",
  "chart/templates/hook.yaml":
    "apiVersion: v1\nkind: Pod\nmetadata: {name: hook, annotations: {helm.sh/hook: test}}\nspec: {containers: [{name: t, image: t}]}\n",
  "chart/crds/widgets.yaml":
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.x.io}\nspec: {group: x.io, names: {kind: Widget, plural: widgets}, scope: Namespaced, versions: []}\n",
  "dev.yaml": "image: shop/dev\n",
};

const print = `print([(o['kind'], o['metadata'].get('namespace', ''), o['metadata']['name']) for o in decode_yaml_stream(out)])
`;

describe("helm", () => {
  it("renders a chart, with CRDs and without tests", () => {
    const { said } = runTiltfile(`out = helm('chart')\n${print}`, chart, { programs });
    expect(said).toEqual([
      '[("CustomResourceDefinition", "", "widgets.x.io"), ("ConfigMap", "kept", "kube"), ("ClusterRole", "", "shop"), ("Deployment", "", "chart-web")]',
    ]);
  });

  it("puts what is namespaced into the namespace", () => {
    const { said } = runTiltfile(
      `out = helm('./chart', name='live', namespace='shop', skip_crds=True)\n${print}`,
      chart,
      { programs },
    );
    expect(said).toEqual([
      '[("ConfigMap", "kept", "kube"), ("ClusterRole", "", "shop"), ("Deployment", "shop", "live-web")]',
    ]);
  });

  it("takes values, single settings and the version of Kubernetes", () => {
    const text = `out = helm('chart', values=['dev.yaml'], set=['replicas=3', 'x=y'], kube_version='1.30.0')
for o in decode_yaml_stream(out):
  if o['kind'] == 'Deployment': print(o['spec']['replicas'], o['spec']['template']['spec']['containers'][0]['image'])
  if o['kind'] == 'ConfigMap': print(o['data']['version'])
`;
    const { said, result, folder } = runTiltfile(text, chart, { programs });
    expect(said).toEqual(["v1.30.0", "3 shop/dev"]);
    expect(result.watchedPaths).toContain(`${folder}/chart`);
    expect(result.watchedPaths).toContain(`${folder}/dev.yaml`);
  });

  it.each([
    ["helm('none')", "hydrate.input at Tiltfile:1:5: the chart /folder/none does not exist"],
    [
      "helm('.')",
      "hydrate.input at Tiltfile:1:5: /folder is no chart: it is no directory with a Chart.yaml",
    ],
    [
      "helm('chart', values='none.yaml')",
      /^hydrate\.command-failed at Tiltfile:1:5: `\S+helm template chart .*` ended with status 1$/,
    ],
  ])("%s is an error", (text, expected) => {
    const { said } = runTiltfile(text, chart, { programs });
    expect(said).toEqual([
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    ]);
  });

  it("shows what helm said, and where it was called", () => {
    const broken = { ...chart, "chart/templates/web.yaml": '{{ fail "no such luck" }}' };
    const { result } = runTiltfile("def render():\n  return helm('chart')\nrender()", broken, {
      programs,
    });
    expect(result.diagnostics[0]?.detail).toMatch(
      /no such luck[^]*Tiltfile:3:7: in <toplevel>\n {2}Tiltfile:2:14: in render/,
    );
  });

  it("says how to get helm when it is not there", () => {
    const { result } = runTiltfile("helm('chart')", chart, { environment: { PATH: "/nowhere" } });
    expect(result.diagnostics).toMatchObject([
      {
        code: "hydrate.binary-missing",
        summary: "helm is not installed",
        source: { start: { line: 1 } },
      },
    ]);
  });
});

describe("kustomize", () => {
  const files: Files = {
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": workload("Deployment", "web"),
    "dev/kustomization.yaml":
      "namePrefix: dev-\nresources: [../base]\npatches: [{path: patch.yaml}]\nconfigMapGenerator: [{name: env, files: [key=env.txt], options: {disableNameSuffixHash: true}}]\n",
    "dev/patch.yaml":
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n",
    "dev/env.txt": "a=b\n",
  };

  it("builds with kubectl, and watches what it is built from", () => {
    const { shown, result, folder } = runToComponents("k8s_yaml(kustomize('./dev'))", files, {
      programs: { kubectl: programs.kubectl },
      environment: { PATH: "/nowhere" },
    });
    expect(shown).toEqual([
      "uncategorized: uncategorized ConfigMap/dev-env",
      "dev-web: workload Deployment/dev-web",
    ]);
    const watched = result.watchedPaths.map((path) => path.slice(folder.length + 1));
    expect(watched.sort()).toEqual([
      ".tiltignore",
      "Tiltfile",
      "base/kustomization.yaml",
      "base/web.yaml",
      "dev/env.txt",
      "dev/kustomization.yaml",
      "dev/patch.yaml",
    ]);
  });

  it("runs the program that is named, with its flags", () => {
    const script = '#!/bin/sh\necho "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: $1.$2}"\n';
    const { shown } = runToComponents(
      "local('chmod +x bin/kustomize', quiet=True)\nk8s_yaml(kustomize('base', kustomize_bin='./bin/kustomize', flags=['x']))",
      { ...files, "bin/kustomize": script },
    );
    expect(shown).toEqual(["uncategorized: uncategorized ConfigMap/build.x"]);
  });

  it.each([
    [
      "kustomize('none')",
      "hydrate.input at Tiltfile:1:10: the kustomization /folder/none is no directory",
    ],
    ["kustomize('.')", "hydrate.input at Tiltfile:1:10: /folder has no kustomization.yaml"],
    [
      "kustomize('base', kustomize_bin='no-such')",
      "hydrate.binary-missing at Tiltfile:1:10: the program no-such was not found",
    ],
    [
      "kustomize('base')",
      "hydrate.binary-missing at Tiltfile:1:10: neither kustomize nor kubectl is installed",
    ],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text, files, { environment: { PATH: "/nowhere" } }).said).toEqual([
      expected,
    ]);
  });

  it("shows what kustomize said", () => {
    const broken = { "k/kustomization.yaml": "resources: [none.yaml]\n" };
    const { result } = runTiltfile("kustomize('k')", broken, { programs });
    expect(result.diagnostics[0]).toMatchObject({ code: "hydrate.command-failed" });
    expect(result.diagnostics[0]?.detail).toContain("none.yaml");
  });
});
