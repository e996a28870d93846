import { describe, expect, it } from "vitest";
import { runTiltfile, runToComponents, workload } from "./run-tiltfile.ts";

const dockerfile = { Dockerfile: "FROM scratch\n" };

describe("docker_build", () => {
  it("takes every option", () => {
    const { result, folder } = runTiltfile(
      `docker_build('shop/web', 'web', build_args={'A': 'b', 'N': 1}, dockerfile='web/Dockerfile.dev', ignore=['*.md'], only='src',
  entrypoint='run.sh', container_args=['x'], target='dev', ssh='default', secret=['id=a'], network='host', extra_tag='shop/web:ci',
  cache_from='c', pull=True, platform='linux/amd64', extra_hosts='h:1.2.3.4', match_in_env_vars=True,
  live_update=[initial_sync(), fall_back_on('web/package.json'), sync('web/src', '/src'), run('make', trigger='web/Makefile'), run(['a', 'b'], echo_off=True), restart_container()])`,
      { "web/Dockerfile.dev": "FROM scratch\n" },
    );
    expect(result.diagnostics).toEqual([]);
    expect(result.builds).toMatchObject([
      {
        kind: "docker",
        reference: "shop/web",
        context: `${folder}/web`,
        dockerfile: { kind: "file", path: `${folder}/web/Dockerfile.dev` },
        buildArgs: { A: "b", N: "1" },
        ignore: ["*.md"],
        only: ["src"],
        entrypoint: ["sh", "-c", "run.sh"],
        containerArgs: ["x"],
        target: "dev",
        ssh: ["default"],
        secrets: ["id=a"],
        network: "host",
        extraTags: ["shop/web:ci"],
        cacheFrom: ["c"],
        pull: true,
        platform: "linux/amd64",
        extraHosts: ["h:1.2.3.4"],
        liveUpdate: [
          { kind: "initial-sync" },
          { kind: "fall-back-on", paths: [`${folder}/web/package.json`] },
          { kind: "sync", localPath: `${folder}/web/src`, containerPath: "/src" },
          {
            kind: "run",
            command: ["sh", "-c", "make"],
            triggers: [`${folder}/web/Makefile`],
            isEchoOff: false,
          },
          { kind: "run", command: ["a", "b"], triggers: [], isEchoOff: true },
          { kind: "restart-container" },
        ],
        source: { start: { line: 1, column: 13 } },
      },
    ]);
    expect(result.directives).toMatchObject([
      { kind: "image", reference: "shop/web", matchInEnvVars: true },
    ]);
    expect(result.watchedPaths).toContain(`${folder}/web/Dockerfile.dev`);
  });

  it("finds declared base images, in files and in contents", () => {
    const { result } = runTiltfile(
      `docker_build('shop/web', '.')
docker_build('shop/base', '.', dockerfile_contents=blob('FROM scratch'))
docker_build('shop/tool:1', '.', dockerfile_contents='FROM docker.io/shop/base:latest')
`,
      { Dockerfile: "FROM shop/base AS x\nFROM alpine\nCOPY --from=shop/tool:1 /a /b\n" },
    );
    expect(result.directives).toMatchObject([
      { reference: "shop/web", baseImages: ["shop/base", "shop/tool:1"] },
      { reference: "shop/base" },
      { reference: "shop/tool:1", baseImages: ["shop/base"] },
    ]);
  });

  it("is joined with the workloads that use the image", () => {
    const { components, shown } = runToComponents(
      "docker_build('shop/web', '.')\nk8s_yaml('web.yaml')",
      {
        ...dockerfile,
        "web.yaml": workload("Deployment", "web", { image: "shop/web" }),
      },
    );
    expect(shown).toEqual(["web: workload Deployment/web"]);
    expect(components[0]?.images).toMatchObject([{ reference: "shop/web", build: "shop/web" }]);
  });

  it("warns of an image that nothing uses, unless that is allowed", () => {
    const build = "docker_build('shop/web', '.')\n";
    expect(runToComponents(build, dockerfile).shown).toEqual([
      'warning assembly.unused-image at Tiltfile:1:13: the image "shop/web" is built, but nothing uses it',
    ]);
    for (const allowed of ["'*'", "['shop/web']"]) {
      const text = `${build}update_settings(suppress_unused_image_warnings=${allowed})`;
      expect(runToComponents(text, dockerfile).shown).toEqual([]);
    }
  });

  it("an image that only a custom deploy uses is used, and so are its bases", () => {
    const text = `docker_build('shop/base', '.')
docker_build('shop/chart', '.', dockerfile_contents='FROM shop/base')
k8s_custom_deploy('c', 'apply', 'delete', [], image_deps=['shop/chart'])
`;
    expect(runToComponents(text, dockerfile).shown).toEqual(["c: local"]);
  });

  it("steps of a live update have the types that extensions ask for", () => {
    const text = `steps = [initial_sync(), fall_back_on([]), sync('a', '/a'), run('x'), restart_container()]
docker_build('a', '.', live_update=steps)
print([type(step) for step in steps])
`;
    expect(runTiltfile(text, dockerfile).said).toEqual([
      '["live_update_initial_sync_step", "live_update_fall_back_on_step", "live_update_sync_step", "live_update_run_step", "live_update_restart_container_step"]',
    ]);
  });

  it("an image declared twice is an error", () => {
    const text = "docker_build('a', '.')\ndocker_build('a', '.')\n";
    expect(runToComponents(text, dockerfile).shown.join("\n")).toMatch(
      /assembly\.duplicate-image at Tiltfile:2:13/,
    );
  });

  it.each([
    [
      "'a', 'none'",
      "tiltfile.file at Tiltfile:1:13: docker_build: none/Dockerfile cannot be read: it does not exist",
    ],
    [
      "'A', '.'",
      'starlark.failed at Tiltfile:1:13: docker_build: for parameter ref: "A" is no image reference',
    ],
    [
      "'a', '.', dockerfile='D', dockerfile_contents='x'",
      "starlark.failed at Tiltfile:1:13: docker_build: dockerfile and dockerfile_contents exclude each other",
    ],
    [
      "'a', '.', only=['*.go']",
      'starlark.failed at Tiltfile:1:13: docker_build: only takes paths, not patterns such as "*.go"',
    ],
    [
      "'a', '.', live_update=[1]",
      "starlark.failed at Tiltfile:1:13: docker_build: live_update: got int, want step",
    ],
    [
      "'a', '.', live_update=[run('x'), sync('a', '/a')]",
      "tiltfile.live-update at Tiltfile:1:13: docker_build: live_update: sync cannot come after run",
    ],
    [
      "'a', '.', live_update=[sync('a', '/a'), initial_sync()]",
      "tiltfile.live-update at Tiltfile:1:13: docker_build: live_update: initial_sync cannot come after sync",
    ],
    [
      "'a', '.', live_update=[restart_container(), restart_container()]",
      "tiltfile.live-update at Tiltfile:1:13: docker_build: live_update: restart_container can only be there once",
    ],
    [
      "'a', '.', build_args={1: 'a'}",
      'starlark.failed at Tiltfile:1:13: docker_build: for parameter "build_args": got int, want string as key',
    ],
  ])("(%s) is an error", (args, expected) => {
    expect(runTiltfile(`docker_build(${args})`, dockerfile).said).toEqual([expected]);
  });

  it("a step that no image gets is an error", () => {
    expect(runTiltfile("\nsync('a', '/a')\n").said).toEqual([
      "tiltfile.live-update at Tiltfile:2:5: this sync step is in no live_update",
    ]);
  });

  it("sync goes to an absolute path", () => {
    expect(runTiltfile("sync('a', 'b')").said).toEqual([
      'starlark.failed at Tiltfile:1:5: sync: remote_path must be absolute, which "b" is not',
    ]);
  });
});

describe("custom_build", () => {
  it("takes every option", () => {
    const { result, folder } =
      runTiltfile(`custom_build('shop/api', 'bazel build', deps=['api', 'lib'], tag='dev', disable_push=True, skips_local_docker=True,
  ignore='x', entrypoint=['a'], image_deps=['shop/base'], env={'E': 'f'}, dir='api', live_update=[sync('api', '/api')])
custom_build('shop/base', ['make'], ['.'], outputs_image_ref_to='ref.txt', match_in_env_vars=True)
`);
    expect(result.diagnostics).toEqual([]);
    expect(result.builds).toMatchObject([
      {
        kind: "custom",
        reference: "shop/api",
        command: ["sh", "-c", "bazel build"],
        directory: `${folder}/api`,
        environment: { E: "f" },
        dependencies: [`${folder}/api`, `${folder}/lib`],
        ignore: ["x"],
        tag: "dev",
        pushesItself: true,
        skipsLocalStore: true,
        entrypoint: ["a"],
        imageDependencies: ["shop/base"],
        liveUpdate: [{ kind: "sync" }],
      },
      {
        reference: "shop/base",
        command: ["make"],
        directory: folder,
        outputsReferenceTo: `${folder}/ref.txt`,
      },
    ]);
    expect(result.directives).toMatchObject([
      { reference: "shop/api", baseImages: ["shop/base"] },
      { reference: "shop/base", matchInEnvVars: true },
    ]);
  });

  it.each([
    ["'a', '', ['.']", "command is empty"],
    [
      "'a', 'x', ['.'], tag='a', outputs_image_ref_to='b'",
      "tag and outputs_image_ref_to exclude each other",
    ],
  ])("(%s) is an error", (args, expected) => {
    expect(runTiltfile(`custom_build(${args})`).said).toEqual([
      `starlark.failed at Tiltfile:1:13: custom_build: ${expected}`,
    ]);
  });
});

describe("default_registry", () => {
  it("is a setting", () => {
    const { result } = runTiltfile(
      "default_registry('gcr.io/x', host_from_cluster='reg:5000', single_name='dev')",
    );
    expect(result.settings.defaultRegistry).toEqual({
      host: "gcr.io/x",
      hostFromCluster: "reg:5000",
      singleName: "dev",
    });
  });
  it.each([
    [
      "default_registry('a.io')\ndefault_registry('b.io')",
      "default_registry: it can only be called once",
    ],
    ["default_registry('')", "default_registry: host is empty"],
    [
      "default_registry('https://a.b')",
      'default_registry: "https://a.b" is no registry: write host, host:port or host/path',
    ],
    [
      "default_registry('localhost:5000', host_from_cluster='a b')",
      'default_registry: "a b" is no registry: write host, host:port or host/path',
    ],
  ])("%j is an error", (text, expected) => {
    expect(runTiltfile(text).result.diagnostics[0]?.summary).toBe(expected);
  });
});
