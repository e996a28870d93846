import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { BuildEvent } from "../events/index.ts";
import type { BuildDefinition, CustomBuild, DockerBuild } from "./build-definition.ts";
import { buildImages } from "./build-images.ts";
import { buildOrder } from "./build-order.ts";
import { BuiltImages } from "./built-images.ts";
import { builders } from "./builder.ts";
import { contextFiles } from "./context-files.ts";
import { findBuilder } from "./find-builder.ts";
import { ignorePatterns } from "./ignore-patterns.ts";
import { imageDigest } from "./image-digest.ts";
import { overrideEntrypoints } from "./override-entrypoints.ts";
import { planImages } from "./planned-image.ts";
import type { CommandEnd, RunCommand } from "./run-command.ts";
import { withBuiltBases } from "./with-built-bases.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-images-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const docker = (more: Partial<DockerBuild> = {}): DockerBuild => ({
  kind: "docker",
  reference: "shop/web",
  context: folder,
  dockerfile: { kind: "text", text: "FROM scratch\nCOPY . /\n" },
  buildArgs: {},
  ignore: [],
  only: [],
  pull: false,
  ssh: [],
  secrets: [],
  extraTags: [],
  cacheFrom: [],
  extraHosts: [],
  liveUpdate: [],
  ...more,
});
const custom = (more: Partial<CustomBuild> = {}): CustomBuild => ({
  kind: "custom",
  reference: "shop/tool",
  command: ["sh", "-c", "make image"],
  directory: folder,
  environment: {},
  dependencies: [folder],
  ignore: [],
  pushesItself: false,
  skipsLocalStore: false,
  imageDependencies: [],
  liveUpdate: [],
  ...more,
});

describe("patterns of .dockerignore", () => {
  const cases: readonly (readonly [lines: string, ignored: string, kept: string])[] = [
    ["node_modules", "node_modules/a.js node_modules", "src/node_modules x/node_modules/a"],
    ["**/node_modules", "node_modules/a x/y/node_modules/a", "node_modules2"],
    ["*.md\n!README.md", "NOTES.md", "README.md docs/a.md"],
    ["docs/**/*.png", "docs/a.png docs/x/y/a.png", "a.png docs/a.jpg"],
    ["/build/\n# comment", "build/x", "src/build"],
    ["a?c.[ch]", "abc.c axc.h", "ac.c abc.d"],
    ["dir\n!dir/keep", "dir/other", "dir/keep"],
    ["x(1)+.txt", "x(1)+.txt", "x1.txt"],
    ["", "", "anything"],
  ];
  it.each(cases)("%j", (lines, ignored, kept) => {
    const isIgnored = ignorePatterns(lines.split("\n"));
    for (const path of ignored.split(" ").filter(Boolean))
      expect([path, isIgnored(path)]).toEqual([path, true]);
    for (const path of kept.split(" ")) expect([path, isIgnored(path)]).toEqual([path, false]);
  });
});

describe("the context of a build", () => {
  it("is what is not ignored, by the file and by the declaration", async () => {
    for (const path of ["a.txt", "b.log", "src/c.ts", "src/d.test.ts", "docs/e.md"])
      await write(path, path);
    await write(".dockerignore", "*.log\n");
    const paths = async (more: Partial<DockerBuild>): Promise<string> =>
      (await contextFiles(docker(more))).map(({ path }) => path).join(" ");
    expect(await paths({})).toBe(".dockerignore a.txt docs/e.md src/c.ts src/d.test.ts");
    expect(await paths({ ignore: ["**/*.test.ts"], only: ["src", "./a.txt"] })).toBe(
      "a.txt src/c.ts",
    );
  });
});

describe("what an image is called", () => {
  const digest = (build: BuildDefinition, bases = new Map<string, string>()): Promise<string> =>
    imageDigest(build, bases);

  it("changes with everything that goes into it, and with nothing else", async () => {
    await write("a.txt", "one");
    await write("b.log", "noise");
    const build = docker({ ignore: ["*.log"] });
    const first = await digest(build);
    await utimes(join(folder, "a.txt"), 1, 1);
    await write("b.log", "other noise");
    expect(await digest(build)).toBe(first);
    const others = new Set([first]);
    const expectOther = async (changed: BuildDefinition, bases?: Map<string, string>) => {
      const next = await digest(changed, bases);
      expect(others.has(next)).toBe(false);
      others.add(next);
    };
    await expectOther(docker({ ignore: ["*.log"], buildArgs: { V: "1" } }));
    await expectOther(docker({ ignore: ["*.log"], target: "prod" }));
    await expectOther(docker({ ignore: ["*.log"], dockerfile: { kind: "text", text: "FROM x" } }));
    await expectOther(build, new Map([["base", "base:keelson-1"]]));
    await chmod(join(folder, "a.txt"), 0o755);
    await expectOther(build);
    await write("a.txt", "two");
    await expectOther(build);
    await symlink("a.txt", join(folder, "link"));
    await expectOther(build);
    await expectOther(custom({ ignore: ["*.log"] }));
  });

  it("follows the registry", async () => {
    const names = async (
      reference: string,
      registry?: Parameters<typeof planImages>[1],
    ): Promise<string> => {
      const [planned] = await planImages([{ build: docker({ reference }), bases: [] }], registry);
      return [planned?.reference, planned?.clusterReference]
        .map((each) => each?.replace(planned?.digest ?? "", "DIGEST"))
        .join(" ");
    };
    expect(await names("shop/web")).toBe("shop/web:keelson-DIGEST shop/web:keelson-DIGEST");
    expect(await names("shop/web:dev")).toBe("shop/web:keelson-DIGEST shop/web:keelson-DIGEST");
    expect(
      await names("gcr.io/shop/web", { host: "localhost:5005", hostFromCluster: "registry:5000" }),
    ).toBe(
      "localhost:5005/gcr.io_shop_web:keelson-DIGEST registry:5000/gcr.io_shop_web:keelson-DIGEST",
    );
    expect(await names("web", { host: "r.io", singleName: "team/dev" })).toBe(
      "r.io/team/dev:web-keelson-DIGEST r.io/team/dev:web-keelson-DIGEST",
    );
  });

  it("is known for images that are built from each other", async () => {
    const base = { build: docker({ reference: "shop/base" }), bases: [] };
    const web = { build: docker(), bases: ["shop/base"] };
    expect((await planImages([web, base])).map(({ build }) => build.reference)).toEqual([
      "shop/base",
      "shop/web",
    ]);
    const circle = () => buildOrder([web, { ...base, bases: ["shop/web"] }]);
    expect(circle).toThrow(DiagnosticError);
    expect(circle).toThrow("images are built from each other in a circle");
    expect(circle).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ code: "images.cycle" })],
      }),
    );
  });
});

describe("a Dockerfile with built bases", () => {
  it("names them where it starts and copies from them", () => {
    const built = new Map([["shop/base", "shop/base:keelson-1"]]);
    const text = [
      "FROM --platform=linux/amd64 shop/base AS build",
      "FROM shop/base-other",
      "COPY --from=shop/base /a /b",
      "COPY shop/base /c",
      "RUN echo FROM shop/base",
    ].join("\n");
    expect(withBuiltBases(text, built).split("\n")).toEqual([
      "FROM --platform=linux/amd64 shop/base:keelson-1 AS build",
      "FROM shop/base-other",
      "COPY --from=shop/base:keelson-1 /a /b",
      "COPY shop/base /c",
      "RUN echo FROM shop/base",
    ]);
  });
});

/** Stands in for docker and podman, whose engines cannot run here: notes what they are told. */
function recorder(answer: (command: string) => number | undefined): {
  readonly run: RunCommand;
  readonly commands: string[];
} {
  const commands: string[] = [];
  const run: RunCommand = ({ command, onLine }): Promise<CommandEnd> => {
    const line = command
      .join(" ")
      .replaceAll(new RegExp(`${tmpdir()}/keelson-build-\\w+`, "g"), "TMP");
    commands.push(line.replaceAll(folder, "CONTEXT").replaceAll(/keelson-[0-9a-f]{16}/g, "DIGEST"));
    onLine(`ran ${command[1] ?? ""}`);
    return Promise.resolve({ status: answer(line), lastLines: ["last line"] });
  };
  return { run, commands };
}

describe("builders, by a recorded stand-in", () => {
  const signal = new AbortController().signal;
  const build = async (
    name: keyof typeof builders,
    definition: BuildDefinition,
    answer: (command: string) => number | undefined,
    pushes = false,
  ): Promise<{ readonly commands: readonly string[]; readonly events: readonly string[] }> => {
    const { run, commands } = recorder(answer);
    const events: string[] = [];
    const emit = ({ image, status, message }: BuildEvent): void => {
      events.push(`${image} ${status} ${message ?? ""}`.replace(/keelson-[0-9a-f]{16}/, "DIGEST"));
    };
    await buildImages(await planImages([{ build: definition, bases: [] }]), {
      builder: builders[name],
      run,
      environment: {},
      pushes,
      mostAtOnce: 2,
      built: new BuiltImages(),
      emit,
      signal,
    });
    return { commands, events };
  };
  const isAsked = (command: string): boolean => /inspect|exists/.test(command);

  it("docker is told everything that was declared", async () => {
    const { commands, events } = await build(
      "docker",
      docker({
        buildArgs: { A: "1" },
        target: "prod",
        platform: "linux/arm64",
        network: "host",
        pull: true,
        ssh: ["default"],
        secrets: ["id=s"],
        cacheFrom: ["shop/cache"],
        extraHosts: ["h:1.2.3.4"],
        extraTags: ["shop/web:latest"],
      }),
      (command) => (isAsked(command) ? 1 : 0),
      true,
    );
    expect(commands).toEqual([
      "docker image inspect --format {{.Id}} shop/web:DIGEST",
      "docker build --tag shop/web:DIGEST-unchecked --file TMP/Dockerfile --build-arg A=1 --target prod --platform linux/arm64 --network host --pull --ssh default --secret id=s --cache-from shop/cache --add-host h:1.2.3.4 CONTEXT",
      "docker tag shop/web:DIGEST-unchecked shop/web:DIGEST",
      "docker rmi shop/web:DIGEST-unchecked",
      "docker tag shop/web:DIGEST shop/web:latest",
      "docker push shop/web:DIGEST",
    ]);
    expect(events).toEqual([
      "shop/web started shop/web:DIGEST",
      "shop/web log ran build",
      "shop/web successful shop/web:DIGEST",
      "shop/web log ran push",
    ]);
  });

  it("podman builds nothing that is there", async () => {
    const { commands, events } = await build("podman", docker(), () => 0);
    expect(commands).toEqual(["podman image exists shop/web:DIGEST"]);
    expect(events).toEqual(["shop/web cached shop/web:DIGEST"]);
  });

  it("a failure is told with the last lines of the builder", async () => {
    const failing = build("podman", docker(), (command) => (isAsked(command) ? 1 : 125));
    await expect(failing).rejects.toMatchObject({
      diagnostics: [
        {
          code: "images.build-failed",
          summary: "shop/web could not be built (exit code 125)",
          detail: "last line",
        },
      ],
    });
  });

  /** Builds an image whose files change while it is built. */
  const buildDuring = async (
    name: keyof typeof builders,
    definition: BuildDefinition,
    change: () => Promise<void>,
  ): Promise<{ readonly problem: unknown; readonly commands: readonly string[] }> => {
    await write("a.txt", "one");
    const { run, commands } = recorder((command) => (isAsked(command) ? 1 : 0));
    const building = buildImages(await planImages([{ build: definition, bases: [] }]), {
      builder: builders[name],
      run: async (request) => {
        if (request.command[1] === "build" || request.command[0] === "sh") await change();
        return run(request);
      },
      environment: {},
      pushes: true,
      mostAtOnce: 1,
      built: new BuiltImages(),
      emit: () => undefined,
      signal,
    });
    return { problem: await building.catch((error: unknown) => error), commands };
  };

  it.each<[string, () => Promise<void>]>([
    ["becomes another", () => write("a.txt", "two")],
    [
      "is as before in the end",
      async () => {
        await write("a.txt", "two");
        await write("a.txt", "one");
      },
    ],
    ["goes", () => rm(join(folder, "a.txt"))],
  ])("an image does not get its name when a file %s meanwhile", async (_name, change) => {
    const { problem, commands } = await buildDuring("docker", docker(), change);
    expect(problem).toMatchObject({
      diagnostics: [
        { code: "images.changed", summary: "files of shop/web changed while it was built" },
      ],
    });
    expect(commands.slice(1)).toEqual([
      "docker build --tag shop/web:DIGEST-unchecked --file TMP/Dockerfile CONTEXT",
      "docker rmi shop/web:DIGEST-unchecked",
    ]);
  });

  it("what a command of the user made of files that changed loses its name", async () => {
    const change = (): Promise<void> => write("a.txt", "two");
    const { problem, commands } = await buildDuring("podman", custom(), change);
    expect(problem).toMatchObject({ diagnostics: [{ code: "images.changed" }] });
    expect(commands.at(-1)).toBe("podman rmi shop/tool:DIGEST");
  });

  it("says which file is missing that an image is built from", async () => {
    const named = (more: Partial<DockerBuild>): Promise<unknown> =>
      planImages([{ build: docker(more), bases: [] }]);
    const path = join(folder, "none");
    const diagnostic = {
      code: "images.file-missing",
      summary: expect.stringContaining(path) as string,
    };
    const missing = { diagnostics: [diagnostic] };
    await expect(named({ context: path })).rejects.toMatchObject(missing);
    await expect(named({ dockerfile: { kind: "file", path } })).rejects.toMatchObject(missing);
  });

  it("a custom command gets a name for what it makes, and must make it", async () => {
    let isBuilt = false;
    const answer = (command: string): number => {
      if (command.startsWith("sh ")) isBuilt = true;
      return isAsked(command) && !isBuilt ? 1 : 0;
    };
    expect((await build("docker", custom(), answer)).commands).toEqual([
      "docker image inspect --format {{.Id}} shop/tool:DIGEST",
      "sh -c make image",
      "docker image inspect --format {{.Id}} shop/tool:DIGEST",
    ]);
    await expect(
      build("docker", custom(), (command) => (isAsked(command) ? 1 : 0)),
    ).rejects.toThrow("its command ended well, but shop/tool:keelson-");
  });

  it("the one that works is taken, and none is an error that lists what was tried", async () => {
    const find = (named: string | undefined, works: string): Promise<string> =>
      findBuilder({
        named,
        directory: folder,
        environment: {},
        signal,
        run: recorder((command) => (command.startsWith(works) ? 0 : 1)).run,
      }).then(
        ({ name }) => name,
        (error: unknown) =>
          error instanceof DiagnosticError
            ? error.diagnostics
                .map(({ code, summary, detail }) => [code, summary, detail].join("\n"))
                .join()
            : String(error),
      );
    expect(await find(undefined, "docker")).toBe("docker");
    expect(await find(undefined, "buildah")).toBe("buildah");
    expect(await find("podman", "docker")).toContain("podman: last line");
    expect(await find("kaniko", "docker")).toContain('"kaniko" is not a builder');
    expect(await find(undefined, "nothing")).toBe(
      "images.no-builder\nimages must be built, and no builder works on this machine\ndocker: last line\npodman: last line\nbuildah: last line",
    );
  });
});

describe("what containers run", () => {
  it("is what the declaration of their image says", () => {
    const object = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "shop/web:1", command: ["old"] }, { name: "d" }] },
    };
    const given = {
      object,
      file: "a.yaml",
      sourceOf: () => ({ file: "a.yaml", start: { line: 1, column: 1 } }),
    };
    const image = {
      reference: "shop/web",
      build: "shop/web",
      object: { group: "", kind: "Pod", namespace: "", name: "p" },
      path: ["spec", "containers", 0, "image"],
    };
    const [changed] = overrideEntrypoints([given], { images: [image] }, [
      docker({ entrypoint: ["/bin/app"], containerArgs: ["--dev"] }),
    ]);
    expect(changed?.object["spec"]).toEqual({
      containers: [
        { name: "c", image: "shop/web:1", command: ["/bin/app"], args: ["--dev"] },
        { name: "d" },
      ],
    });
  });
});
