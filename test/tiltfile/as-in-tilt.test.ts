import { describe, expect, it } from "vitest";
import { runTiltfile, runToComponents, service, workload, yaml } from "./run-tiltfile.ts";

describe("values are those of Tilt", () => {
  it.each<readonly [program: string, said: readonly string[]]>([
    ["print(listdir('none'))", ["[]"]],
    ["print(listdir('Tiltfile'))", ["[]"]],
    ["print(listdir('none', recursive=True))", ["[]"]],
    ["print(type(encode_json({'a': [1, 2.5]})))", ["string"]],
    [
      "print(encode_json({'b': '<&>', 'a': None}))",
      ['{\n  "a": null,\n  "b": "\\u003c\\u0026\\u003e"\n}\n'],
    ],
    [
      "print(decode_json('[3.0, 3, 1e2, 12345678901234567890]'))",
      ["[3.0, 3, 100.0, 12345678901234567890]"],
    ],
    ["print(read_json('a.json'))", ['{"x": 3.0, "y": 3}']],
    ["l = link('www.example.com', 'home')\nprint(l.url, l.name)", ["http://www.example.com home"]],
    ["print(link('https://a.example').name == '')", ["True"]],
    [
      "p = probe(period_secs=5, exec=exec_action(['a', 'b']))\nprint(p.exec.command, p.http_get, p.tcp_socket, p.period_secs)",
      ['["a", "b"] None None 5'],
    ],
    [
      "p = probe(http_get=http_get_action(80, path='/x'))\nprint(p.http_get.port, p.http_get.path, p.exec)",
      ["80 /x None"],
    ],
    [
      "p = probe(tcp_socket=tcp_socket_action(80, 'h'))\nprint(p.tcp_socket.port, p.tcp_socket.host)",
      ["80 h"],
    ],
    ["m = module('m', a=1, b='x')\nprint(m.a, m.b, m, type(m))", ['1 x <module "m"> module']],
  ])("%s", (program, said) => {
    const files = { "a.json": '{"x": 3.0, "y": 3}' };
    expect(runTiltfile(program, files).said).toEqual(said);
  });

  it("an empty list of dependencies is one", () => {
    const { result, said } = runTiltfile("custom_build('web', 'make', [])");
    expect(said).toEqual([]);
    expect(result.builds).toMatchObject([{ reference: "web", dependencies: [] }]);
  });

  it("test() is a local_resource that runs beside others", () => {
    const { result, said } = runTiltfile("test('unit', 'make test', deps=['src'])");
    expect(said).toEqual([
      "warning tiltfile.deprecated at Tiltfile:1:5: test() is an old name of local_resource()",
    ]);
    expect(result.localResources).toMatchObject([{ name: "unit", allowsParallel: true }]);
  });
});

describe("components are those of Tilt", () => {
  const role =
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: view}\n";
  const template =
    "apiVersion: v1\nkind: PodTemplate\nmetadata: {name: job}\ntemplate: {metadata: {labels: {app: job}}, spec: {containers: [{name: a, image: a}]}}\n";
  const um = (name: string, kind = "UselessMachine"): string =>
    `apiVersion: tilt.dev/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {image: web}\n`;
  it.each<readonly [name: string, program: string, objects: string, shown: readonly string[]]>([
    [
      "a cluster-scoped object is found as in namespace default",
      "k8s_resource(new_name='roles', objects=['view:clusterrole:default'])",
      role,
      ["roles: objects ClusterRole/view"],
    ],
    [
      "and in no other namespace",
      "k8s_resource(new_name='roles', objects=['view:clusterrole:shop'])",
      yaml(role),
      ['assembly.unknown-object at Tiltfile:2:13: there is no object "view:clusterrole:shop"'],
    ],
    ["a PodTemplate is a workload", "", template, ["job: workload PodTemplate/job"]],
    [
      "a kind may be a regular expression",
      "k8s_kind('Useless.*')",
      um("a"),
      ["a: workload UselessMachine/a"],
    ],
    [
      "a plain word is a whole word",
      "k8s_kind('Machine')",
      um("a"),
      ["uncategorized: uncategorized UselessMachine/a"],
    ],
    [
      "an object whose image is found by its path is a component of its own",
      "k8s_image_json_path('{.spec.image}', kind='UselessMachine')\ncustom_build('web', 'make', [])",
      um("a"),
      ["a: workload UselessMachine/a"],
    ],
    [
      "names of k8s_image_json_path are regular expressions, too",
      "k8s_image_json_path('{.spec.image}', name='^a[0-9]$')\ncustom_build('web', 'make', [])",
      yaml(um("a1"), um("ab")),
      ["uncategorized: uncategorized UselessMachine/ab", "a1: workload UselessMachine/a1"],
    ],
    [
      "a naming function is told the namespace in effect",
      "workload_to_resource_function(lambda id: id.namespace + '-' + id.name)",
      yaml(workload("Deployment", "web"), service("web")),
      ["default-web: workload Deployment/web Service/web"],
    ],
  ])("%s", (_name, program, objects, shown) => {
    expect(runToComponents(`k8s_yaml('o.yaml')\n${program}`, { "o.yaml": objects }).shown).toEqual(
      shown,
    );
  });
});

describe("mistakes that Tilt finds are found", () => {
  const objects = yaml(
    workload("Deployment", "web"),
    "apiVersion: tilt.dev/v1\nkind: UselessMachine\nmetadata: {name: a}\nspec: {image: web}\n",
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: view}\n",
  );
  it.each<readonly [program: string, problem: string]>([
    [
      "k8s_yaml(None)",
      "starlark.failed at Tiltfile:2:9: k8s_yaml: got NoneType, want path or blob",
    ],
    [
      "k8s_yaml([])",
      "tiltfile.file at Tiltfile:2:9: k8s_yaml: there is no YAML in what it is given",
    ],
    [
      "k8s_yaml(blob(''))",
      "tiltfile.file at Tiltfile:2:9: k8s_yaml: there is no YAML in what it is given",
    ],
    [
      "custom_build('web', 'make', ['.'], image_deps=['none'])",
      'tiltfile.missing-image at Tiltfile:2:13: the image "web" depends on the image "none", which nothing builds',
    ],
    [
      "k8s_custom_deploy('x', 'a', 'b', deps=[], image_deps=['none'])",
      'tiltfile.missing-image at Tiltfile:2:18: the component "x" depends on the image "none", which nothing builds',
    ],
    [
      "docker_build('web', 'c', ignore='a\\nb')",
      'starlark.failed at Tiltfile:2:13: docker_build: for parameter "ignore": "a\\nb" has a line break; give a list of patterns',
    ],
    [
      "docker_build('web', 'c', only=['a', 'a\\nb'])",
      'starlark.failed at Tiltfile:2:13: docker_build: for parameter "only": "a\\nb" has a line break; give a list of patterns',
    ],
    [
      "custom_build('web', 'make', ['.'], ignore='a\\nb')",
      'starlark.failed at Tiltfile:2:13: custom_build: for parameter "ignore": "a\\nb" has a line break; give a list of patterns',
    ],
    [
      "local_resource('x', 'make', ignore='a\\nb')",
      'starlark.failed at Tiltfile:2:15: local_resource: for parameter "ignore": "a\\nb" has a line break; give a list of patterns',
    ],
    [
      "watch_settings(ignore='a\\nb')",
      'starlark.failed at Tiltfile:2:15: watch_settings: for parameter "ignore": "a\\nb" has a line break; give a list of patterns',
    ],
    [
      "docker_build('web', 'c', extra_tag='no tag!')",
      'starlark.failed at Tiltfile:2:13: docker_build: for parameter "extra_tag": "no tag!" is no image reference',
    ],
    [
      "k8s_image_json_path('{.spec.none}', kind='UselessMachine')",
      "assembly.invalid-image at Tiltfile:2:20: a:uselessmachine:default:tilt.dev has nothing at {.spec.none}",
    ],
    [
      "k8s_kind('UselessMachine', image_json_path='{.spec.none}')",
      "assembly.invalid-image at Tiltfile:2:9: a:uselessmachine:default:tilt.dev has nothing at {.spec.none}",
    ],
    [
      "k8s_kind('Useless(')",
      'starlark.failed at Tiltfile:2:9: k8s_kind: for parameter kind: "Useless(" is no regular expression: error parsing regexp: missing closing ): `Useless(`',
    ],
    [
      "k8s_resource(new_name='roles', objects=['view', 'view:clusterrole'])",
      'assembly.object-claimed-twice at Tiltfile:2:13: view:clusterrole::rbac.authorization.k8s.io is put into the component "roles" twice',
    ],
    [
      "docker_build('web', 'c', live_update=[sync('other', '/app')])",
      'tiltfile.live-update at Tiltfile:2:13: the live_update of "web" names other, which is in no watched path',
    ],
    [
      "docker_build('web', 'c', live_update=[fall_back_on('other'), sync('c', '/app')])",
      'tiltfile.live-update at Tiltfile:2:13: the live_update of "web" names other, which is in no watched path',
    ],
    [
      "custom_build('web', 'make', ['c'], live_update=[sync('cc', '/app')])",
      'tiltfile.live-update at Tiltfile:2:13: the live_update of "web" names cc, which is in no watched path',
    ],
    [
      "local_resource('x', 'make', serve_dir='c')",
      "starlark.failed at Tiltfile:2:15: local_resource: x has serve_dir without serve_cmd",
    ],
    [
      "local_resource('x', serve_cmd='make', dir='c')",
      "starlark.failed at Tiltfile:2:15: local_resource: x has dir without cmd",
    ],
    [
      "k8s_resource('web', port_forwards=port_forward(8000, 80, link_path='::://'))",
      'starlark.failed at Tiltfile:2:47: port_forward: for parameter "link_path": "::://" is no path of a link',
    ],
    [
      "local_resource('a/b', 'make')",
      'starlark.failed at Tiltfile:2:15: local_resource: for parameter name: "a/b" is no name: it must be neither "." nor "..", and have no "/" and no "%"',
    ],
    [
      "k8s_resource('web', new_name='50%')",
      'starlark.failed at Tiltfile:2:13: k8s_resource: for parameter "new_name": "50%" is no name: it must be neither "." nor "..", and have no "/" and no "%"',
    ],
    [
      "k8s_custom_deploy('..', 'a', 'b', deps=[])",
      'starlark.failed at Tiltfile:2:18: k8s_custom_deploy: for parameter name: ".." is no name: it must be neither "." nor "..", and have no "/" and no "%"',
    ],
    [
      "default_registry('shop')",
      'starlark.failed at Tiltfile:2:17: default_registry: "shop" is no registry: write host, host:port or host/path',
    ],
    [
      "default_registry('gcr.io', host_from_cluster='shop/images')",
      'starlark.failed at Tiltfile:2:17: default_registry: "shop/images" is no registry: write host, host:port or host/path',
    ],
    [
      "docker_build('web', 'a')\ndocker_build('base', 'b')",
      "images.cycle at Tiltfile:2:13: images are built from each other in a circle",
    ],
    [
      "custom_build('web', 'make', ['.'], image_deps=['web'])",
      "images.cycle at Tiltfile:2:13: images are built from each other in a circle",
    ],
    [
      "k8s_yaml(blob('{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: IMAGE_URL}]}}'))",
      'assembly.invalid-image at blob:1:80: Pod p: "IMAGE_URL" is no image reference',
    ],
    [
      "version_settings(constraint='newest')",
      'starlark.failed at Tiltfile:2:17: version_settings: for parameter "constraint": "newest" is no version constraint; write one such as ">=0.30.0 <1.0.0"',
    ],
    [
      "version_settings(constraint='>=0.30')",
      'starlark.failed at Tiltfile:2:17: version_settings: for parameter "constraint": ">=0.30" is no version constraint; write one such as ">=0.30.0 <1.0.0"',
    ],
    [
      "version_settings(constraint='>=0.30.0 ||')",
      'starlark.failed at Tiltfile:2:17: version_settings: for parameter "constraint": ">=0.30.0 ||" is no version constraint; write one such as ">=0.30.0 <1.0.0"',
    ],
    [
      "k8s_resource('web', extra_pod_selectors={'a': 1})",
      'starlark.failed at Tiltfile:2:13: k8s_resource: for parameter "extra_pod_selectors": got int for a, want string',
    ],
  ])("%s", (program, problem) => {
    const files = {
      "o.yaml": objects,
      "c/Dockerfile": "FROM scratch\n",
      "a/Dockerfile": "FROM base\n",
      "b/Dockerfile": "FROM web\n",
    };
    const { shown } = runToComponents(`k8s_yaml('o.yaml')\n${program}`, files);
    expect(shown.filter((line) => !line.startsWith("warning "))).toEqual([problem]);
  });

  it.each([">=0.30.0", ">= 0.30.0 <1.0.0", "0.x", "=0.33.x || !0.33.1", "!=1.2.3-beta.1+a", ""])(
    "%j is a version constraint",
    (constraint) => {
      const { said } = runTiltfile(`version_settings(constraint=${JSON.stringify(constraint)})`);
      expect(said).toEqual([]);
    },
  );

  it("and what only looks like one is not", () => {
    const program = `
docker_build('base', 'base')
docker_build('web', 'c', live_update=[sync('base', '/base'), sync('c', '/app')])
k8s_yaml('empty.yaml')
k8s_yaml('o.yaml')`;
    const files = {
      "o.yaml": workload("Deployment", "web"),
      "empty.yaml": "",
      "c/Dockerfile": "FROM base\n",
      "base/Dockerfile": "FROM scratch\n",
    };
    expect(runToComponents(program, files).shown).toEqual(["web: workload Deployment/web"]);
  });
});
