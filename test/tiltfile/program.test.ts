import { describe, expect, it } from "vitest";
import { oneLine, runTiltfile, runToComponents, workload } from "./run-tiltfile.ts";

describe("several files", () => {
  const files = {
    "lib/Tiltfile":
      "print('lib runs in', os.path.basename(os.getcwd()), __name__)\ndef where(): return os.path.basename(os.getcwd())\ndef yaml(path): k8s_yaml(path)\nk8s_yaml('lib.yaml')\n",
    "lib/lib.yaml": workload("Deployment", "lib"),
    "main.yaml": workload("Deployment", "main"),
    "inc/Tiltfile":
      "load('../lib/Tiltfile', 'where')\nprint('inc', where())\ninclude('deep/Tiltfile')\n",
    "inc/deep/Tiltfile": "local_resource('deep', 'true')\n",
  };

  it("share one state, run once, and find files beside themselves", () => {
    const text = `load('./lib/Tiltfile', 'yaml', w='where')
include('inc/Tiltfile')
include('./inc/Tiltfile')
yaml('main.yaml')
symbols = load_dynamic('lib/Tiltfile')
print(sorted(symbols.keys()), symbols['where'] == w)
`;
    const { said, shown, result, folder } = runToComponents(text, files);
    expect(said).toEqual(["lib runs in lib ./lib/Tiltfile", "inc inc", '["where", "yaml"] True']);
    expect(shown).toEqual([
      "lib: workload Deployment/lib",
      "main: workload Deployment/main",
      "deep: local",
    ]);
    expect(result.localResources[0]?.update?.directory).toBe(`${folder}/inc/deep`);
  });

  it.each([
    [
      "load('none/Tiltfile', 'x')",
      "tiltfile.file at Tiltfile:1:1: none/Tiltfile cannot be read: it does not exist",
    ],
    ["include('bad/Tiltfile')", "starlark.failed at bad/Tiltfile:2:2: floored division by zero"],
    [
      "load('lib/Tiltfile', 'wher')",
      "starlark.failed at Tiltfile:1:1: load: name wher not found in module lib/Tiltfile (did you mean where?)",
    ],
    [
      "include('Tiltfile')",
      "starlark.failed at Tiltfile:1:8: cannot load /folder/Tiltfile: cycle in load graph",
    ],
    [
      "include('a/Tiltfile')",
      "starlark.failed at b/Tiltfile:1:8: cannot load /folder/a/Tiltfile: cycle in load graph",
    ],
  ])("%s is an error", (text, expected) => {
    const { said } = runTiltfile(text, {
      ...files,
      "bad/Tiltfile": "\n1//0\n",
      "a/Tiltfile": "include('../b/Tiltfile')",
      "b/Tiltfile": "include('../a/Tiltfile')",
    });
    expect(said.filter((line) => !line.startsWith("lib"))).toEqual([expected]);
  });
});

describe("extensions", () => {
  const files = {
    "exts/hello/Tiltfile": "load('ext://other', 'name')\ndef hi(): return 'hi ' + name\n",
    "exts/other/Tiltfile": "name = 'you'\n",
    "mine/deep/x/Tiltfile": "y = 'mine'\n",
  };
  const text = "load('ext://hello', 'hi')\nprint(hi())";

  it("come from the directory that the environment names", () => {
    const { said } = runTiltfile(
      "os.putenv('KEELSON_EXTENSION_PATH', os.path.abspath('exts'))\nhi = load_dynamic('ext://hello')['hi']\nprint(hi())",
      files,
    );
    expect(said).toEqual(["hi you"]);
  });

  it("are registered with file addresses", () => {
    const { said } = runTiltfile(
      `v1alpha1.extension_repo(name='default', url='file://' + os.path.abspath('exts'))
v1alpha1.extension_repo('r', url='file://' + os.getcwd() + '/mine')
v1alpha1.extension('y', repo_name='r', repo_path='deep/x')
print(load_dynamic('ext://hello')['hi'](), load_dynamic('ext://y')['y'])
`,
      files,
    );
    expect(said).toEqual(["hi you mine"]);
  });

  it.each([
    [
      text,
      {},
      "tiltfile.extension at Tiltfile:1:1: there is no home directory to keep extensions in",
    ],
    [
      text,
      { KEELSON_EXTENSION_PATH: "/nowhere" },
      "tiltfile.extension at Tiltfile:1:1: the repository of extensions was not found: there is no directory /nowhere",
    ],
    [
      "v1alpha1.extension_repo('default', url='ext::sh -c id')",
      {},
      'tiltfile.extension at Tiltfile:1:24: v1alpha1.extension_repo: "ext::sh -c id" is no address of a repository',
    ],
    [
      "v1alpha1.extension('a', repo_name='r')\nload_dynamic('ext://a')",
      {},
      "tiltfile.extension at Tiltfile:2:13: the extension a was not found: no repository r is registered",
    ],
  ])("%j with %j is an error", (source, environment, expected) => {
    expect(runTiltfile(source, files, { environment }).said).toEqual([expected]);
  });
});

describe("ends", () => {
  it("fail stops with its message", () => {
    const { said, result } = runTiltfile("fail('no ' + 'way')\nprint('x')");
    expect(said).toEqual(["starlark.failed at Tiltfile:1:5: no way"]);
    expect(result.ending).toBe("failed");
  });

  it.each([
    ["fail('')", "starlark.failed at Tiltfile:1:5: fail was called with an empty message"],
    ["warn('')", "warning tiltfile.warning at Tiltfile:1:5: warn was called with an empty message"],
  ])("%s still says something", (text, expected) => {
    expect(runTiltfile(text).said).toEqual([expected]);
  });

  it("exit stops without error, from anywhere", () => {
    const { said, result } = runTiltfile(
      "local_resource('a', 'b')\ninclude('i/Tiltfile')\nprint('x')",
      {
        "i/Tiltfile": "def f(): exit('enough')\nf()",
      },
    );
    expect(said).toEqual(["enough"]);
    expect(result).toMatchObject({
      ending: "exit",
      exitMessage: "enough",
      localResources: [{ name: "a" }],
    });
  });

  it("warn goes on", () => {
    const { said, result } = runTiltfile("warn('careful')\nprint('on')");
    expect(said).toEqual(["on", "warning tiltfile.warning at Tiltfile:1:5: careful"]);
    expect(result.output[0]).toMatchObject({ kind: "warning", text: "careful" });
  });

  it("what a failing file said before is still reported, with the failure last", () => {
    const { said } = runTiltfile(
      "k8s_yaml('no.yaml')\ndocker_build('a', 'no')\n1//0\nk8s_yaml('never.yaml')",
    );
    expect(said).toEqual([
      "tiltfile.file at Tiltfile:1:9: k8s_yaml: no.yaml does not exist",
      "tiltfile.file at Tiltfile:2:13: docker_build: no/Dockerfile cannot be read: it does not exist",
      "starlark.failed at Tiltfile:3:2: floored division by zero",
    ]);
  });

  it("a program without end is ended", () => {
    const { said } = runTiltfile("while True: k8s_kind('A')", {}, { limits: { steps: 10_000 } });
    expect(said[0]).toMatch(
      /^starlark\.limit at Tiltfile:1:\d+: Starlark computation cancelled: too many steps/,
    );
  });

  it.each([
    [
      "x = ['a']\nfor i in range(12): x = [x] * 10\nencode_yaml(x)",
      /^starlark\.limit at Tiltfile:3:12: .*too much memory/,
    ],
    [
      "x = []\nfor i in range(100000): x = [x]\nencode_json(x)",
      /^starlark\.limit at Tiltfile:3:12: .*nested too deep$/,
    ],
    [
      "decode_json('[' * 100000 + ']' * 100000)",
      /^starlark\.limit at Tiltfile:1:12: .*nested too deep$/,
    ],
    [
      "while True: print('a')",
      /^starlark\.failed at Tiltfile:1:18: more than 200000 lines are printed; that is too many$/,
    ],
    [
      "while True: k8s_kind('A')",
      /^starlark\.failed at Tiltfile:1:21: this is the call number 200000; that is too many$/,
    ],
    [
      "y = encode_yaml_stream([{'apiVersion': 'v1', 'kind': 'A', 'metadata': {'name': 'a'}}] * 10000)\nwhile True: k8s_yaml(y)",
      /^starlark\.failed at Tiltfile:2:21: there are more than 1000000 objects; that is too many$/,
    ],
  ])("%j is ended", (text, expected) => {
    const { result } = runTiltfile(text, {}, { limits: { memoryBytes: 32_000_000 } });
    expect(result.diagnostics.map(oneLine)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    [
      "k8s_yml('a')",
      "starlark.invalid-program at Tiltfile:1:1: undefined: k8s_yml (did you mean k8s_yaml?)",
    ],
    [
      "dockerbuild('a', '.')",
      "starlark.invalid-program at Tiltfile:1:1: undefined: dockerbuild (did you mean docker_build?)",
    ],
    [
      "os.getwd()",
      "starlark.failed at Tiltfile:1:3: module has no .getwd field or method (did you mean .getcwd?)",
    ],
  ])("%s names the nearest function", (text, expected) => {
    expect(runTiltfile(text).said).toEqual([expected]);
  });
});

describe("settings", () => {
  it("are data", () => {
    const { result, folder } =
      runTiltfile(`update_settings(max_parallel_updates=5, k8s_upsert_timeout_secs=60, suppress_unused_image_warnings=['a'], k8s_server_side_apply='true')
update_settings(suppress_unused_image_warnings='b')
ci_settings(k8s_grace_period='10s', timeout='1h30m')
ci_settings(readiness_timeout='1.5m')
watch_settings(ignore='*.log')
watch_settings(ignore=['a', 'b'])
secret_settings(disable_scrub=True)
version_settings(check_updates=False, constraint='>=0.22.1')
`);
    expect(result.settings).toEqual({
      mostParallelUpdates: 5,
      applyTimeoutSeconds: 60,
      serverSideApply: "true",
      unusedImagesAllowed: ["a", "b"],
      ci: { gracePeriodMs: 10_000, timeoutMs: 5_400_000, readinessTimeoutMs: 90_000 },
      watchIgnore: ["*.log", "a", "b"].map((pattern) => ({ pattern, directory: folder })),
      showsSecrets: true,
      versionConstraint: ">=0.22.1",
      allowedContexts: [],
    });
  });

  it.each([
    [
      "update_settings(max_parallel_updates=0)",
      'update_settings: for parameter "max_parallel_updates": got 0, want at least 1',
    ],
    [
      "update_settings(k8s_server_side_apply='x')",
      'update_settings: for parameter "k8s_server_side_apply": got "x", want "true", "false" or "auto"',
    ],
    [
      "ci_settings(timeout='soon')",
      'ci_settings: for parameter "timeout": "soon" is no duration such as "30s" or "1h30m"',
    ],
    [
      "trigger_mode(TRIGGER_MODE_AUTO)\ntrigger_mode(TRIGGER_MODE_AUTO)",
      "trigger_mode: it can only be called once",
    ],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text).result.diagnostics[0]?.summary).toBe(expected);
  });

  it("those of Tilt itself are ignored with one warning", () => {
    const { said, result } = runTiltfile(`enable_feature('x')
disable_feature('y')
set_team('t')
disable_snapshots()
analytics_settings(enable=False)
docker_prune_settings(disable=True, max_age_mins=1)
experimental_metrics_settings(enabled=True)
experimental_telemetry_cmd('x')
set_team('again')
`);
    expect(said).toEqual([
      "warning tiltfile.ignored-setting at Tiltfile:1:15: enable_feature, disable_feature, set_team, disable_snapshots, analytics_settings, docker_prune_settings, experimental_metrics_settings, experimental_telemetry_cmd: only Tilt itself knows these; they are ignored",
    ]);
    expect(result.features).toEqual({ x: true, y: false });
  });

  it("so are buttons of its page, and objects of its API are not supported", () => {
    const { said } = runTiltfile(
      "v1alpha1.ui_button('b', location=v1alpha1.ui_component_location('x', 'y'))\nv1alpha1.cmd('c', args=['x'])",
    );
    expect(said).toEqual([
      "tiltfile.not-supported at Tiltfile:2:13: v1alpha1.cmd is not supported: it makes an object of Tilt's own API",
      "warning tiltfile.ignored-setting at Tiltfile:1:64: v1alpha1.ui_component_location, v1alpha1.ui_button: only Tilt itself knows these; they are ignored",
    ]);
  });

  it("docker compose is not supported, and says what to do", () => {
    const { said, result } = runTiltfile(
      "docker_compose('dc.yaml', project_name='p')\ndc_resource('db', labels=['x'])",
    );
    expect(said).toEqual([
      "tiltfile.not-supported at Tiltfile:1:15: docker_compose is not supported: components run on Kubernetes or as local commands",
      "tiltfile.not-supported at Tiltfile:2:12: dc_resource is not supported: there is no service db without docker_compose",
    ]);
    expect(result.diagnostics[0]?.hint).toContain(
      "local_resource('compose', serve_cmd='docker compose up')",
    );
  });
});

describe("config", () => {
  const define = `config.define_string('name', usage='who')
config.define_bool('fast')
config.define_string_list('tags')
config.define_object('data')
config.define_string_list('run', args=True)
`;
  const show = "cfg = config.parse()\nprint([(k, cfg[k]) for k in sorted(cfg)])";
  it.each([
    [[], "{}", "[]"],
    [
      ["--name", "x", "--fast", "-tags", "a", "--tags=b"],
      "{}",
      '[("fast", True), ("name", "x"), ("tags", ["a", "b"])]',
    ],
    [["--fast=False", "one", "two"], "{}", '[("fast", False), ("run", ["one", "two"])]'],
    [['--data={"a": [1]}', "--", "--name"], "{}", '[("data", {"a": [1]}), ("run", ["--name"])]'],
    [
      [],
      '{"name": "f", "fast": true, "tags": ["t"], "data": 1}',
      '[("data", 1), ("fast", True), ("name", "f"), ("tags", ["t"])]',
    ],
    [["--name", "line"], '{"name": "file", "tags": ["t"]}', '[("name", "line"), ("tags", ["t"])]'],
  ])("%j with %s gives %s", (args, file, expected) => {
    const { said } = runTiltfile(define + show, { "tilt_config.json": file }, { args });
    expect(said).toEqual([expected]);
  });

  it.each([
    [["--nam", "x"], "{}", "--nam is not defined"],
    [["--name"], "{}", "--name needs a value"],
    [["--name", "a", "--name", "b"], "{}", "name is given twice"],
    [["--fast=maybe"], "{}", 'fast is true or false, not "maybe"'],
    [["--data={"], "{}", 'data is JSON, which "{" is not'],
    [[], '{"x": 1}', "tilt_config.json has x, which is not defined"],
    [
      [],
      '{"fast": "yes", "tags": "a"}',
      "tilt_config.json: fast is no bool; tilt_config.json: tags is no string_list",
    ],
    [[], "[", "tilt_config.json is no JSON object"],
  ])("%j with %s is an error", (args, file, expected) => {
    const { result } = runTiltfile(define + show, { "tilt_config.json": file }, { args });
    expect(result.diagnostics).toMatchObject([{ code: "tiltfile.config", summary: expected }]);
  });

  it("says which settings there are", () => {
    const { result } = runTiltfile(
      "config.define_string('name', usage='who')\nconfig.define_bool('x', args=True)\nconfig.parse()",
      {},
      { args: ["--no"] },
    );
    expect(result.diagnostics[0]?.hint).toBe(
      "The Tiltfile defines:\n  --name: string, who\n  words without a name (x): bool",
    );
  });

  it.each([
    [
      "config.parse()\nconfig.define_bool('a')",
      "config.define_bool: config.parse was called already",
    ],
    [
      "config.define_bool('a')\nconfig.define_string('a')",
      "config.define_string: a is defined twice",
    ],
    [
      "config.define_bool('a', args=True)\nconfig.define_bool('b', args=True)",
      "config.define_bool: both a and b have args=True",
    ],
    ["config.define_bool('')", "config.define_bool: name is empty"],
  ])("%j is an error", (text, expected) => {
    expect(runTiltfile(text).result.diagnostics[0]?.summary).toBe(expected);
  });

  const resources =
    "local_resource('a', 'x', resource_deps=['b'])\nlocal_resource('b', 'x')\nlocal_resource('c', 'x')\n";
  it.each([
    ["", [], ["a: local", "b: local", "c: local"]],
    ["", ["a"], ["a: local", "b: local"]],
    [
      "config.define_string_list('r', args=True)\nconfig.parse()",
      ["a"],
      ["a: local", "b: local", "c: local"],
    ],
    ["config.set_enabled_resources(['c'])", ["a"], ["c: local"]],
    [
      "config.set_enabled_resources(['c'])\nconfig.define_string_list('r', args=True)\nconfig.parse()",
      ["a"],
      ["c: local"],
    ],
    ["config.set_enabled_resources([])", ["a"], ["a: local", "b: local", "c: local"]],
    ["config.clear_enabled_resources()", [], []],
    ["", ["aa"], ['tiltfile.unknown-component: there is no component "aa" to run']],
  ])("%j with %j runs %j", (text, args, expected) => {
    expect(runToComponents(resources + text, {}, { args }).shown).toEqual(expected);
  });
});
