import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadTiltfile } from "../../src/sources/tiltfile/index.ts";
import { makeFolder, runTiltfile } from "./run-tiltfile.ts";

describe("files", () => {
  const files = { "a.txt": "hällo", "d/b.txt": "b", "d/e/c.txt": "c" };
  it.each([
    ["print(read_file('a.txt'))", ["hällo"]],
    ["print(type(read_file('a.txt')), len(str(read_file('a.txt'))))", ["blob 6"]],
    ["print(read_file('x.txt', default='d'))", ["d"]],
    ["print(bool(blob('')), bool(blob('x')), blob('x'), '%s' % blob('y'))", ["False True x y"]],
    ["print([f[-5:] for f in listdir('d')])", ['["b.txt"]']],
    ["print([f[-5:] for f in listdir('d', recursive=True)])", ['["b.txt", "c.txt"]']],
    ["print(listdir('d')[0])", ["/folder/d/b.txt"]],
    ["watch_file('never')", []],
    [
      "read_file('x.txt')",
      ["tiltfile.file at Tiltfile:1:10: x.txt cannot be read: it does not exist"],
    ],
    ["read_file('d')", ["tiltfile.file at Tiltfile:1:10: d cannot be read: it is a directory"]],
    [
      "blob(1)",
      ["starlark.failed at Tiltfile:1:5: blob: for parameter input: got int, want string or blob"],
    ],
  ])("%s", (text, expected) => {
    expect(runTiltfile(text, files).said).toEqual(expected);
  });

  it("all that was read is watched", () => {
    const text =
      "read_file('a.txt')\nread_file('x', default='')\nwatch_file('w')\nlistdir('d')\nread_yaml('y', {})\nload('lib/Tiltfile', 'x')\n";
    const { result, folder } = runTiltfile(text, { ...files, "lib/Tiltfile": "x = 1" });
    expect(result.watchedPaths.map((path) => path.slice(folder.length + 1))).toEqual([
      "Tiltfile",
      ".tiltignore",
      "a.txt",
      "x",
      "w",
      "d",
      "y",
      "lib/Tiltfile",
    ]);
  });

  it("a Tiltfile that is not there is an error", () => {
    const result = loadTiltfile({ path: "no/Tiltfile", workingDirectory: "/", environment: {} });
    expect(result).toMatchObject({
      ending: "failed",
      diagnostics: [
        { code: "tiltfile.file", summary: "no/Tiltfile cannot be read: it does not exist" },
      ],
    });
  });
});

describe("encoding", () => {
  const files = {
    "a.json": '{"b": [1, 2.5, null, true], "a": "x"}',
    "s.yaml": "a: 1\n---\n- x\n---\n",
    "bad.yaml": "a: [",
  };
  it.each([
    ["print(read_json('a.json'))", '{"b": [1, 2.5, None, True], "a": "x"}'],
    ["print(read_json('no.json', default={'d': 1}))", '{"d": 1}'],
    ["print(decode_json(read_file('a.json'))['a'])", "x"],
    ["print(decode_json('[12345678901234567890]'))", "[12345678901234567890]"],
    ["print(read_yaml_stream('s.yaml'))", '[{"a": 1}, ["x"]]'],
    ["print(decode_yaml('a: yes\\nb: 0777'))", '{"a": True, "b": 511}'],
    ["print(decode_yaml(''))", "None"],
    ["print(decode_yaml_stream(''))", "[]"],
    ["print(read_yaml('no.yaml', default=[]))", "[]"],
    [
      "print(str(encode_yaml({'b': [1, {'c': None}], 'a': 'yes'})))",
      'a: "yes"\nb:\n- 1\n- c: null\n',
    ],
    ["print(str(encode_yaml_stream([{'a': 1}, [2]])))", "a: 1\n---\n- 2\n"],
    ["print(str(encode_json({'b': 1, 'a': ['x']})))", '{\n  "a": [\n    "x"\n  ],\n  "b": 1\n}\n'],
    ["print(json.decode(json.encode({'a': 1})))", '{"a": 1}'],
    [
      "print(decode_yaml(encode_yaml({'text': 'a\\nb\\n', 'n': '1'})))",
      '{"n": "1", "text": "a\\nb\\n"}',
    ],
  ])("%s", (text, expected) => {
    expect(runTiltfile(text, files).said).toEqual([expected]);
  });

  it.each([
    ["decode_json('{')", /^starlark.failed at Tiltfile:1:12: decode_json: this is no JSON: /],
    [
      "read_json('s.yaml')",
      /^starlark.failed at Tiltfile:1:10: read_json: this is no JSON in s.yaml: /,
    ],
    [
      "read_yaml('bad.yaml')",
      /^starlark.failed at Tiltfile:1:10: read_yaml: this is no YAML in bad.yaml: /,
    ],
    ["read_yaml('s.yaml')", /read_yaml: there are 2 documents in s.yaml; use read_yaml_stream$/],
    ["encode_yaml(len)", /encode_yaml: cannot convert builtin_function_or_method to data$/],
    ["encode_yaml({1: 2})", /encode_yaml: dict has int key, want string$/],
    ["encode_yaml_stream('a')", /encode_yaml_stream: want a list$/],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text, files).said).toEqual([expect.stringMatching(expected)]);
  });
});

describe("local", () => {
  it.each([
    ["print(local('echo $0 hi'))", "sh hi\n"],
    ["print(local(['echo', '$HOME', 'a b']))", "$HOME a b\n"],
    ["print(local('pwd', dir='sub'))", "/folder/sub\n"],
    ["print(local('echo $X$Y', env={'X': 'a', 'Y': 1}))", "a1\n"],
    ["os.putenv('X', 'set')\nprint(local('echo $X'))", "set\n"],
    ["print(local('cat', stdin='in'))", "in"],
    ["print(local('cat', stdin=blob('in')))", "in"],
  ])("%s", (text, expected) => {
    const folder = makeFolder({ Tiltfile: text });
    mkdirSync(`${folder}/sub`);
    const { output } = loadTiltfile({
      path: "Tiltfile",
      workingDirectory: folder,
      environment: { PATH: process.env["PATH"] },
    });
    const printed = output.filter(({ kind }) => kind === "print");
    expect(printed.map((line) => line.text.replaceAll(folder, "/folder"))).toEqual([expected]);
  });

  it("shows the command and what it prints, unless told not to", () => {
    const { result } = runTiltfile(
      "local('echo a')\nlocal('echo b', quiet=True)\nlocal('echo c', echo_off=True)\n",
    );
    expect(result.output.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "echo local: echo a",
      "command  → a",
      "echo local: echo b",
      "command  → c",
    ]);
  });

  it.each([
    [
      "local('echo out; echo no >&2; exit 3')",
      "tiltfile.command-failed at Tiltfile:1:6: local: `echo out; echo no >&2; exit 3` ended with status 3",
    ],
    [
      "local(['keelson-no-such-program'])",
      "tiltfile.command-failed at Tiltfile:1:6: local: keelson-no-such-program was not found",
    ],
    [
      "local('kill -9 $$')",
      "tiltfile.command-failed at Tiltfile:1:6: local: `kill -9 $$` was ended by a signal",
    ],
    [
      "local('ls', dir='no')",
      "tiltfile.file at Tiltfile:1:6: local: there is no directory no to run in",
    ],
    ["local('')", "starlark.failed at Tiltfile:1:6: local: command is empty"],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text).said).toEqual([expected]);
  });

  it("an error holds what the command printed, and the calls that led to it", () => {
    const { result } = runTiltfile("def f():\n  local('echo no >&2; exit 1')\nf()");
    expect(result.diagnostics[0]?.detail).toBe(
      "no\n\nTraceback (most recent call last):\n  Tiltfile:3:2: in <toplevel>\n  Tiltfile:2:8: in f\nError in local: local: `echo no >&2; exit 1` ended with status 1",
    );
  });
});

describe("local_resource", () => {
  it("takes every option", () => {
    const { result, folder } =
      runTiltfile(`local_resource('web', cmd='make', deps=['src', 'lib'], trigger_mode=TRIGGER_MODE_MANUAL, resource_deps=['db'],
  ignore='*.md', auto_init=False, serve_cmd=['serve', '-p', '80'], allow_parallel=True, links='localhost:80', labels=['a'],
  env={'A': 'b'}, serve_env={'C': 'd'}, dir='src', serve_dir='lib', cmd_bat='x', serve_cmd_bat='y',
  readiness_probe=probe(initial_delay_secs=1, timeout_secs=2, period_secs=3, success_threshold=4, failure_threshold=5,
    http_get=http_get_action(8080, host='h', scheme='https', path='/ready')))
local_resource('tcp', serve_cmd='x', readiness_probe=probe(tcp_socket=tcp_socket_action(1)))
local_resource('exec', serve_cmd='x', readiness_probe=probe(exec=exec_action(['true'])))
`);
    expect(result.diagnostics).toEqual([]);
    expect(result.localResources).toMatchObject([
      {
        name: "web",
        update: {
          command: ["sh", "-c", "make"],
          directory: `${folder}/src`,
          environment: { A: "b" },
        },
        serve: {
          command: ["serve", "-p", "80"],
          directory: `${folder}/lib`,
          environment: { C: "d" },
        },
        dependencies: [`${folder}/src`, `${folder}/lib`],
        ignore: ["*.md"],
        ignoreDirectory: folder,
        allowsParallel: true,
        readinessProbe: {
          action: { kind: "http-get", scheme: "https", host: "h", port: 8080, path: "/ready" },
          initialDelaySeconds: 1,
          timeoutSeconds: 2,
          periodSeconds: 3,
          successThreshold: 4,
          failureThreshold: 5,
        },
      },
      {
        name: "tcp",
        readinessProbe: {
          action: { kind: "tcp-socket", host: "localhost", port: 1 },
          periodSeconds: 10,
        },
      },
      { name: "exec", readinessProbe: { action: { kind: "exec", command: ["true"] } } },
    ]);
    expect(result.directives[0]).toMatchObject({
      kind: "local",
      name: "web",
      dependsOn: ["db"],
      links: [{ url: "http://localhost:80" }],
      labels: ["a"],
      triggerMode: "manual",
      autoInit: false,
    });
  });

  it.each([
    ["local_resource('a')", "local_resource: a has neither cmd nor serve_cmd"],
    ["local_resource('', 'x')", "local_resource: name is empty"],
    ["probe()", "probe: give exactly one of exec, http_get and tcp_socket"],
    [
      "probe(exec=exec_action(['a']), tcp_socket=tcp_socket_action(1))",
      "probe: give exactly one of exec, http_get and tcp_socket",
    ],
    [
      "probe(exec=tcp_socket_action(1))",
      'probe: for parameter "exec": got a tcp-socket action, want what exec_action gives',
    ],
    [
      "probe(period_secs=0, tcp_socket=tcp_socket_action(1))",
      'probe: for parameter "period_secs": got 0, want at least 1',
    ],
    [
      "tcp_socket_action(0)",
      "tcp_socket_action: for parameter port: 0 is no port: ports are 1 to 65535",
    ],
    [
      "http_get_action(1, scheme='ftp')",
      'http_get_action: for parameter "scheme": got "ftp", want "http" or "https"',
    ],
    ["exec_action([])", "exec_action: command is empty"],
    ["exec_action('a')", "exec_action: for parameter command: got string, want list of strings"],
    [
      "local_resource('a', 'x', readiness_probe=1)",
      'local_resource: for parameter "readiness_probe": got int, want probe',
    ],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text).result.diagnostics[0]?.summary).toBe(expected);
  });
});

describe("local_git_repo", () => {
  it("gives paths inside of a checkout", () => {
    const text =
      "repo = local_git_repo('r')\nprint(repo.paths('src'), str(repo))\ndocker_build('a', repo, dockerfile_contents='FROM scratch')";
    const { said, result, folder } = runTiltfile(text, { "r/.git/HEAD": "" });
    expect(said).toEqual(["/folder/r/src [gitRepo] '/folder/r'"]);
    expect(result.builds).toMatchObject([{ context: `${folder}/r` }]);
  });
  it.each([
    ["local_git_repo('x')", "local_git_repo: x does not exist"],
    ["local_git_repo('.')", "local_git_repo: . is no Git checkout: it has no .git"],
  ])("%s is an error", (text, expected) => {
    expect(runTiltfile(text).result.diagnostics[0]?.summary).toBe(expected);
  });
});

describe("os, sys and shlex", () => {
  it.each([
    ["os.getcwd()", "/folder"],
    ["os.name", "posix"],
    ["os.getenv('A'), os.getenv('NO'), os.getenv('NO', 'x'), os.environ['A']", "b None x b"],
    ["'A' in os.environ, 'NO' in os.environ, os.environ.get('NO', 'y')", "True False y"],
    ["os.path.abspath('a/../b')", "/folder/b"],
    ["os.path.basename('/a/b.txt'), os.path.basename('a/'), os.path.basename('')", "b.txt a ."],
    ["os.path.dirname('/a/b.txt'), os.path.dirname('x')", "/a ."],
    ["os.path.exists('Tiltfile'), os.path.exists('no')", "True False"],
    ["os.path.join('a', 'b', '../c'), os.path.join('a', '/x', 'y'), os.path.join('')", "a/c /x/y "],
    ["os.path.relpath('/folder-x/../etc', '/usr')", "../etc"],
    ["os.path.relpath(os.getcwd() + '/a/b'), os.path.relpath('.')", "a/b ."],
    ["sys.argv, sys.executable, sys.version", '["keelson", "up", "--", "x"] keelson 1.2.3'],
    [
      "shlex.quote('a b'), shlex.quote('ok-1.txt'), shlex.quote(\"it's\"), shlex.quote('')",
      `'a b' ok-1.txt 'it'"'"'s' ''`,
    ],
    ["config.tilt_subcommand, config.main_path, config.main_dir", "up /folder/Tiltfile /folder"],
    ["__file__, __name__", "/folder/Tiltfile __main__"],
    ["struct(a=1, b='x').b", "x"],
    ["math.floor(2.5)", "2"],
  ])("%s", (expression, expected) => {
    const { said } = runTiltfile(
      `print(${expression})`,
      {},
      {
        environment: { A: "b" },
        args: ["x"],
        subcommand: "up",
        executable: "keelson",
        version: "1.2.3",
      },
    );
    expect(said).toEqual([expected]);
  });

  it("the environment can be changed, also from loaded files, and only for this run", () => {
    const text = `os.putenv('A', '1')
os.environ['B'] = '2'
env = os.environ
include('inc/Tiltfile')
os.unsetenv('A')
print(os.getenv('A'), os.environ.get('B'), os.getenv('C'), local('echo $A$B$C', quiet=True))
`;
    const environment = { PATH: process.env["PATH"], A: "0" };
    const { said } = runTiltfile(
      text,
      { "inc/Tiltfile": "e = os.environ\nos.putenv('C', os.getenv('A') + 'c')" },
      { environment },
    );
    expect(said).toEqual(["None 2 1c 21c\n"]);
    expect(environment.A).toBe("0");
  });

  it("only strings are in the environment", () => {
    expect(runTiltfile("os.environ['A'] = 1").said).toEqual([
      "starlark.failed at Tiltfile:1:11: os.environ: got int, want string",
    ]);
  });

  it("realpath follows links", () => {
    const folder = makeFolder({
      Tiltfile: "print(os.path.realpath('l'))\nos.path.realpath('no')",
      "d/x": "",
    });
    symlinkSync(`${folder}/d`, `${folder}/l`);
    const { output, diagnostics } = loadTiltfile({
      path: "Tiltfile",
      workingDirectory: folder,
      environment: {},
    });
    expect(output[0]?.text.endsWith("/d")).toBe(true);
    expect(diagnostics[0]?.summary).toBe("os.path.realpath: no: it does not exist");
  });
});
