import { describe, expect, it } from "vitest";
import { runTiltfile, runToComponents, service, workload, yaml } from "./run-tiltfile.ts";

const web = { "web.yaml": yaml(workload("Deployment", "web"), service("web")) };

describe("k8s_yaml", () => {
  const both = ["web: workload Deployment/web", "api: workload Deployment/api"];
  const files = {
    "web.yaml": workload("Deployment", "web"),
    "api.yaml": workload("Deployment", "api"),
  };
  it.each([
    ["paths one by one", "k8s_yaml('web.yaml')\nk8s_yaml('./api.yaml')"],
    ["a list", "k8s_yaml(['web.yaml', 'api.yaml'])"],
    [
      "a blob",
      "k8s_yaml(blob(str(read_file('web.yaml')) + '\\n---\\n' + str(read_file('api.yaml'))))",
    ],
    ["a list of blobs and paths", "k8s_yaml([read_file('web.yaml'), 'api.yaml'])"],
    ["output of a command", "k8s_yaml(local('cat web.yaml; echo ---; cat api.yaml', quiet=True))"],
    [
      "encoded data",
      "k8s_yaml(encode_yaml(read_yaml('web.yaml')))\nk8s_yaml(encode_yaml_stream([read_yaml('api.yaml')]))",
    ],
    ["listdir", "k8s_yaml(sorted([f for f in listdir('.') if f.endswith('.yaml')], reverse=True))"],
  ])("takes %s", (_name, text) => {
    expect(runToComponents(text, files).shown).toEqual(both);
  });

  it("reports everything that is wrong, and goes on", () => {
    const { said } = runTiltfile(
      "k8s_yaml('none.yaml')\nk8s_yaml('deploy')\nk8s_yaml('broken.yaml')\nk8s_yaml(encode_yaml({'kind': 'Pod'}))\nprint('end')\n",
      { "deploy/web.yaml": "", "broken.yaml": "kind: [" },
    );
    expect(said).toEqual([
      "end",
      "tiltfile.file at Tiltfile:1:9: k8s_yaml: none.yaml does not exist",
      "tiltfile.file at Tiltfile:2:9: k8s_yaml: deploy is a directory",
      expect.stringMatching(/^objects\.\S+ at broken.yaml:/),
      "objects.field-missing at encode_yaml:1:1: Pod has no apiVersion",
      "objects.field-missing at encode_yaml:1:1: Pod has no metadata.name",
    ]);
  });

  it("an object given twice is an error, unless that is allowed", () => {
    const twice = "k8s_yaml('web.yaml')\nk8s_yaml('web.yaml'";
    expect(runToComponents(`${twice})`, web).shown.join("\n")).toContain(
      "objects.duplicate-object at web.yaml:1:1",
    );
    expect(runToComponents(`${twice}, allow_duplicates=True)`, web).shown).toEqual([
      "web: workload Deployment/web Service/web",
    ]);
  });

  it("says where an object was handed over", () => {
    const { result } = runTiltfile("\nk8s_yaml('web.yaml')", web);
    expect(result.objects[0]?.givenAt?.start).toEqual({ line: 2, column: 9 });
  });

  it.each([
    ["k8s_yaml(1)", "k8s_yaml: got int, want path or blob"],
    ["k8s_yaml()", "k8s_yaml: missing argument for yaml"],
    [
      "k8s_yaml('a', allow_duplicate=True)",
      'k8s_yaml: unexpected keyword argument "allow_duplicate" (did you mean allow_duplicates?)',
    ],
  ])("%s", (text, expected) => {
    expect(runTiltfile(text).said).toEqual([`starlark.failed at Tiltfile:1:9: ${expected}`]);
  });
});

describe("k8s_resource", () => {
  it("sets every option", () => {
    const { components } = runToComponents(
      `k8s_yaml('web.yaml')
k8s_yaml(encode_yaml({'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'extra'}}))
local_resource('gen', 'true')
k8s_resource('web', new_name='site', port_forwards=['9000', 9001, '9002:80', 'localhost:9003:80', port_forward(9004, 81, name='debug', link_path='v1', host='127.0.0.1')],
  extra_pod_selectors={'app': 'other'}, trigger_mode=TRIGGER_MODE_MANUAL, resource_deps=['gen'],
  objects=['extra:configmap'], auto_init=False, pod_readiness='ignore', links=['example.com', link('https://x.y/z', 'X')],
  labels='front', discovery_strategy='selectors-only')
k8s_resource('site', extra_pod_selectors=[{'a': 'b'}, {'c': 'd'}], labels=['back'])
`,
      web,
    );
    const site = components.find(({ name }) => name === "site");
    expect(site).toMatchObject({
      portForwards: [
        { localPort: 9000 },
        { localPort: 9001 },
        { localPort: 9002, containerPort: 80 },
        { host: "localhost", localPort: 9003, containerPort: 80 },
        { localPort: 9004, containerPort: 81, name: "debug", linkPath: "/v1", host: "127.0.0.1" },
      ],
      extraPodSelectors: [{ app: "other" }, { a: "b" }, { c: "d" }],
      triggerMode: "manual",
      dependsOn: ["gen"],
      autoInit: false,
      podReadiness: "ignore",
      links: [{ url: "http://example.com" }, { url: "https://x.y/z", name: "X" }],
      labels: ["front", "back"],
      discoveryStrategy: "selectors-only",
    });
    expect(site?.objects.map(({ object }) => object.kind)).toContain("ConfigMap");
  });

  it("makes a component of objects alone", () => {
    const { shown } = runToComponents(
      "k8s_yaml(blob('apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: x}'))\nk8s_resource(new_name='settings', objects=['x'])",
    );
    expect(shown).toEqual(["settings: objects ConfigMap/x"]);
  });

  it("may stand before the objects, and in functions", () => {
    const text =
      "def expose(name, port):\n  k8s_resource(name, port_forwards=port)\nexpose('web', 1)\nk8s_yaml('web.yaml')";
    expect(runToComponents(text, web).components[0]?.portForwards).toEqual([{ localPort: 1 }]);
  });

  it("reports all unknown workloads together, each at its place", () => {
    const text = "k8s_yaml('web.yaml')\nk8s_resource('wbe')\nk8s_resource('api')\n";
    expect(runToComponents(text, web).shown).toEqual([
      expect.stringMatching(/^assembly.unknown-workload at Tiltfile:2:13: .*"wbe"/),
      expect.stringMatching(/^assembly.unknown-workload at Tiltfile:3:13: .*"api"/),
    ]);
  });

  it("does not blame a call for a file that is missing, but reports what else is wrong", () => {
    const text =
      "k8s_yaml(['web.yaml', 'api.yaml'])\nk8s_resource('api')\nk8s_resource('web', new_name='x')\nlocal_resource('x', 'y')\n";
    expect(runToComponents(text, web).shown).toEqual([
      "tiltfile.file at Tiltfile:1:9: k8s_yaml: api.yaml does not exist",
      expect.stringMatching(/^assembly\.name-taken /),
    ]);
  });

  it("trigger_mode is what the others have", () => {
    const text =
      "trigger_mode(TRIGGER_MODE_MANUAL)\nk8s_yaml('web.yaml')\nlocal_resource('l', 'x', trigger_mode=TRIGGER_MODE_AUTO)";
    const { components } = runToComponents(text, web);
    expect(components.map(({ name, triggerMode }) => `${name} ${triggerMode ?? ""}`)).toEqual([
      "web manual",
      "l auto",
    ]);
  });

  it.each([
    [
      "port_forwards='x'",
      'for parameter "port_forwards": "x" is no port forward: write 8000, "8000:80" (local:container) or "host:8000:80"',
    ],
    [
      "port_forwards=70000",
      'for parameter "port_forwards": 70000 is no port: ports are 1 to 65535',
    ],
    [
      "port_forwards='1:2:3:4'",
      'for parameter "port_forwards": "1:2:3:4" is no port forward: write 8000, "8000:80" (local:container) or "host:8000:80"',
    ],
    [
      "port_forwards=[None]",
      'for parameter "port_forwards": got NoneType, want int, string or port_forward',
    ],
    [
      "extra_pod_selectors='a'",
      'for parameter "extra_pod_selectors": got string, want dict or list of dicts',
    ],
    [
      "trigger_mode=1",
      'for parameter "trigger_mode": got int, want TRIGGER_MODE_AUTO or TRIGGER_MODE_MANUAL',
    ],
    ["resource_deps='a'", 'for parameter "resource_deps": got string, want list of strings'],
    [
      "pod_readiness='never'",
      `for parameter "pod_readiness": got "never", want one of 'ignore', 'wait', 'succeeded'`,
    ],
    [
      "discovery_strategy='x'",
      `for parameter "discovery_strategy": got "x", want one of 'default', 'selectors-only'`,
    ],
    ["links='http://'", 'for parameter "links": "http://" is no URL'],
    ["links=1", 'for parameter "links": got int, want string or link'],
    [
      "labels='-x'",
      `for parameter "labels": "-x" is no label: it needs 1 to 63 letters, digits, '-', '_' or '.', and begins and ends with a letter or digit`,
    ],
    ["workloads='x'", 'unexpected keyword argument "workloads" (did you mean workload?)'],
  ])("%s is an error", (argument, expected) => {
    expect(runTiltfile(`k8s_resource(${argument})`).said).toEqual([
      `starlark.failed at Tiltfile:1:13: k8s_resource: ${expected}`,
    ]);
  });
});

describe("k8s_kind and k8s_image_json_path", () => {
  it("make directives", () => {
    const { result } =
      runTiltfile(`k8s_kind('Environment', api_version='fission.io/v1', image_json_path='{.spec.image}', pod_readiness='wait')
k8s_kind('Machine', image_object={'json_path': '{.spec.image}', 'repo_field': 'repo', 'tag_field': 'tag'})
k8s_image_json_path(['{.spec.a}', '{.spec.b}'], kind='Thing', api_version='x/v1', name='n', namespace='s')
`);
    expect(result.directives).toMatchObject([
      {
        kind: "workload-kind",
        objectKind: "Environment",
        apiVersion: "fission.io/v1",
        imageJsonPaths: ["{.spec.image}"],
        podReadiness: "wait",
      },
      {
        kind: "workload-kind",
        objectKind: "Machine",
        imageObject: { jsonPath: "{.spec.image}", repoField: "repo", tagField: "tag" },
      },
      {
        kind: "image-path",
        jsonPaths: ["{.spec.a}", "{.spec.b}"],
        objectKind: "Thing",
        apiVersion: "x/v1",
        name: "n",
        namespace: "s",
      },
    ]);
  });

  it.each([
    ["k8s_kind('A', 'b')", "k8s_kind: got 2 arguments, want 1; name the others"],
    [
      "k8s_kind('A', image_object={'json_path': '{.x}'})",
      'k8s_kind: for parameter "image_object": want a dict with exactly json_path, repo_field and tag_field',
    ],
    [
      "k8s_kind('A', image_json_path='{.x', image_object=None)",
      expect.stringMatching(
        /^k8s_kind: for parameter "image_json_path": "\{\.x" is no JSON path: /,
      ),
    ],
    ["k8s_kind('')", "k8s_kind: kind is empty"],
    [
      "k8s_kind('A', image_json_path='{.x}', image_object={'json_path': '{.x}', 'repo_field': 'r', 'tag_field': 't'})",
      "k8s_kind: image_json_path and image_object exclude each other",
    ],
    [
      "k8s_image_json_path('{.x}')",
      "k8s_image_json_path: give at least one of kind, name and namespace",
    ],
    ["k8s_image_json_path([], kind='A')", "k8s_image_json_path: paths is empty"],
  ])("%s is an error", (text, expected) => {
    const { result } = runTiltfile(text);
    expect(result.diagnostics.map(({ summary }) => summary)).toEqual([expected]);
  });
});

describe("filter_yaml", () => {
  const files = {
    "all.yaml": yaml(
      workload("Deployment", "web", { namespace: "shop" }),
      workload("CronJob", "web-clean"),
      service("web"),
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {app: web, tier: x}}\n",
    ),
  };
  it.each([
    ["name='web'", "web web-clean web | c"],
    ["name='^web$'", "web web | web-clean c"],
    ["name='WEB', kind='deployment'", "web | web-clean web c"],
    ["namespace='shop'", "web | web-clean web c"],
    ["namespace='default'", "web-clean web c | web"],
    ["api_version='batch/v1'", "web-clean | web web c"],
    ["labels={'app': 'web'}", "c | web web-clean web"],
    ["labels={'app': 'web', 'tier': 'y'}", " | web web-clean web c"],
    ["", "web web-clean web c | "],
  ])("%s", (filter, expected) => {
    const { said } = runTiltfile(
      `yes, no = filter_yaml('all.yaml', ${filter})
names = lambda blob: ' '.join([o['metadata']['name'] for o in decode_yaml_stream(blob)])
print(names(yes) + ' | ' + names(no))`,
      files,
    );
    expect(said).toEqual([expected]);
  });

  it("its result is YAML to go on with", () => {
    const text =
      "a, b = filter_yaml('all.yaml', kind='CronJob')\nc, d = filter_yaml(b, kind='Service')\nk8s_yaml([a, c])";
    expect(runToComponents(text, files).shown).toEqual([
      "uncategorized: uncategorized Service/web",
      "web-clean: workload CronJob/web-clean",
    ]);
  });

  it("a broken pattern is an error", () => {
    expect(runTiltfile("filter_yaml('all.yaml', name='(')", files).said).toEqual([
      expect.stringMatching(/^starlark.failed at Tiltfile:1:12: filter_yaml: name: /),
    ]);
  });
});

describe("the cluster", () => {
  it("is known by context and namespace", () => {
    const { said, result } = runTiltfile(
      "print(k8s_context(), k8s_namespace())\nallow_k8s_contexts(k8s_context())\nallow_k8s_contexts(['a', 'b'])",
      {},
      { context: "kind-dev", namespace: "shop" },
    );
    expect(said).toEqual(["kind-dev shop"]);
    expect(result.settings.allowedContexts).toEqual(["kind-dev", "a", "b"]);
  });
});

describe("k8s_custom_deploy", () => {
  it("is a component that takes the options of a workload", () => {
    const { result, components, folder } =
      runToComponents(`k8s_custom_deploy('db', apply_cmd='make apply', delete_cmd=['make', 'delete'], deps=['db'],
  apply_env={'A': 'b'}, apply_dir='db', image_deps=['x'], image_selector='shop/db', live_update=[sync('db', '/db')])
k8s_resource('db', port_forwards=5432)
`);
    expect(components).toMatchObject([
      { name: "db", kind: "local", portForwards: [{ localPort: 5432 }] },
    ]);
    expect(result.customDeploys).toMatchObject([
      {
        name: "db",
        apply: {
          command: ["sh", "-c", "make apply"],
          directory: `${folder}/db`,
          environment: { A: "b" },
        },
        delete: { command: ["make", "delete"], directory: folder },
        dependencies: [`${folder}/db`],
        imageDependencies: ["x"],
        container: { kind: "image", reference: "shop/db" },
        liveUpdate: [{ kind: "sync", localPath: `${folder}/db`, containerPath: "/db" }],
      },
    ]);
  });

  it.each([
    ["'a', '', 'x', []", "apply_cmd is empty"],
    ["'a', 'x', '', []", "delete_cmd is empty"],
    [
      "'a', 'x', 'y', [], live_update=[sync('a', '/a')]",
      "live_update needs image_selector or container_selector",
    ],
    [
      "'a', 'x', 'y', [], image_selector='i', container_selector='c'",
      "image_selector and container_selector exclude each other",
    ],
  ])("(%s) is an error", (args, expected) => {
    expect(runTiltfile(`k8s_custom_deploy(${args})`).result.diagnostics[0]?.summary).toBe(
      `k8s_custom_deploy: ${expected}`,
    );
  });
});
