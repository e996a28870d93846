import { describe, expect, it } from "vitest";
import {
  assembleCase,
  assembleText,
  type AssemblyCase,
  line,
} from "../../test/assembly/assembly-text.ts";
import { type Directive, injectImages } from "./index.ts";
import { parseImageReference } from "./image-reference.ts";

describe("the reference of an image", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  it.each<readonly [text: string, expected: string | undefined]>([
    ["nginx", "docker.io/library/nginx"],
    ["nginx:1.27", "docker.io/library/nginx 1.27"],
    ["index.docker.io/nginx", "docker.io/library/nginx"],
    ["docker.io/library/nginx", "docker.io/library/nginx"],
    ["team/web:dev", "docker.io/team/web dev"],
    ["localhost/web", "localhost/web"],
    ["localhost:5000/web:dev", "localhost:5000/web dev"],
    ["gcr.io/a/b/c:v1", "gcr.io/a/b/c v1"],
    [`gcr.io/a@${digest}`, `gcr.io/a ${digest}`],
    [`gcr.io/a:v1@${digest}`, `gcr.io/a v1 ${digest}`],
    ["", undefined],
    ["Web", undefined],
    ["web:", undefined],
    ["web:a b", undefined],
    ["gcr.io/", undefined],
    ["a//b", undefined],
    ["web@sha256:0", undefined],
    ["http://x/y", undefined],
  ])("%s", (text, expected) => {
    const parsed = parseImageReference(text);
    const { repository, tag, digest: found } = parsed ?? {};
    expect(parsed && [repository, tag, found].filter(Boolean).join(" ")).toBe(expected);
  });
});

const pod = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers: [{name: i, image: "busybox:1"}]
  containers:
  - {name: c, image: "team/web:dev", env: [{name: SIDE, value: team/side}, {name: X, value: "1"}]}
  ephemeralContainers: [{name: e, image: team/debug}]
  volumes: [{name: v, image: {reference: "team/data:3"}}, {name: w, emptyDir: {}}]
`;

const image = (reference: string, more: object = {}): Directive => ({
  kind: "image",
  reference,
  source: line(1),
  ...more,
});

/** Every image with its place and the build that makes it. */
function imagesOf(assemblyCase: AssemblyCase): string {
  return assembleCase(assemblyCase)
    .components.flatMap(({ images }) => images)
    .map(({ reference, path, build }) => `${path.join(".")}: ${reference} ← ${build ?? "none"}\n`)
    .join("");
}

describe("images", () => {
  it("are found in containers and volumes, and in variables where that is asked for", () => {
    const directives = [
      image("docker.io/team/web"),
      image("team/side", { matchInEnvVars: true }),
      image("team/data:3"),
    ];
    expect(imagesOf({ objects: pod, directives })).toMatchInlineSnapshot(`
      "spec.initContainers.0.image: busybox:1 ← none
      spec.containers.0.image: team/web:dev ← docker.io/team/web
      spec.ephemeralContainers.0.image: team/debug ← none
      spec.volumes.0.image.reference: team/data:3 ← team/data:3
      spec.containers.0.env.0.value: team/side ← team/side
      "
    `);
  });

  it.each<readonly [used: string, built: readonly string[], found: string]>([
    ["team/web:dev", ["team/web"], "team/web"],
    ["team/web:dev", ["team/web:dev"], "team/web:dev"],
    ["team/web:dev", ["team/web:prod"], "none"],
    ["team/web:dev", ["team/web", "team/web:dev"], "team/web:dev"],
    ["team/web", ["team/web:latest"], "team/web:latest"],
    ["web", ["docker.io/library/web"], "docker.io/library/web"],
    ["team/web-server", ["team/web"], "none"],
    ["gcr.io/team/web", ["team/web"], "none"],
    [`team/web@sha256:${"0".repeat(64)}`, ["team/web:latest", "team/web"], "team/web"],
    ["${IMAGE}", ["team/web"], "none"],
  ])("%s with builds of %j is made by %s", (used, built, found) => {
    const objects = `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{image: "${used}"}]}}`;
    const directives = built.map((reference) => image(reference));
    expect(imagesOf({ objects, directives })).toBe(`spec.containers.0.image: ${used} ← ${found}\n`);
  });

  const custom = `
apiVersion: example.com/v1
kind: Fleet
metadata: {name: web, namespace: shop}
spec:
  ships: [{image: team/web}, {image: team/side}]
  engine: {repository: team/engine, tag: "1"}
  count: 3
`;

  it("are found at declared paths", () => {
    const directives: readonly Directive[] = [
      {
        kind: "workload-kind",
        objectKind: "Fleet",
        imageJsonPaths: ["{.spec.ships[0].image}"],
        imageObject: { jsonPath: "{.spec.engine}", repoField: "repository", tagField: "tag" },
      },
      { kind: "image-path", jsonPaths: ["{.spec.ships[*].image}"], objectKind: "fleet" },
      image("team/engine"),
      image("team/side"),
    ];
    expect(imagesOf({ objects: custom, directives })).toMatchInlineSnapshot(`
      "spec.ships.0.image: team/web ← none
      spec.engine: team/engine:1 ← team/engine
      spec.ships.1.image: team/side ← team/side
      "
    `);
  });

  it.each<readonly [title: string, matching: object, found: boolean]>([
    ["kind", { objectKind: "fleet" }, true],
    ["other kind", { objectKind: "flee" }, false],
    ["version", { apiVersion: "Example.com/v1" }, true],
    ["other version", { apiVersion: "example.com/v2" }, false],
    ["name", { name: "web" }, true],
    ["other name", { name: "Web" }, false],
    ["namespace", { namespace: "SHOP" }, true],
    ["other namespace", { namespace: "default" }, false],
    ["name and other kind", { name: "web", objectKind: "x" }, false],
  ])("are found at paths that are declared for a %s", (_title, matching, found) => {
    const directives: readonly Directive[] = [
      { kind: "image-path", jsonPaths: ["{.spec.ships[1].image}"], ...matching },
    ];
    expect(imagesOf({ objects: custom, directives })).toBe(
      found ? "spec.ships.1.image: team/side ← none\n" : "",
    );
  });

  it("are not looked for in Secrets", () => {
    const objects =
      "{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {key: hunter2}}";
    const directives: readonly Directive[] = [
      { kind: "image-path", jsonPaths: ["{.stringData.key}"], objectKind: "Secret" },
    ];
    expect(imagesOf({ objects, directives })).toBe("");
  });

  it("at wrong paths are errors", () => {
    const directives: readonly Directive[] = [
      {
        kind: "image-path",
        jsonPaths: ["{.spec.count}", "{.spec.ships[7].image}", "{.spec.none}", "{.spec["],
        objectKind: "Fleet",
        source: line(4),
      },
      {
        kind: "workload-kind",
        objectKind: "Fleet",
        imageObject: { jsonPath: "{.spec.engine}", repoField: "repo", tagField: "tag" },
        source: line(5),
      },
    ];
    expect(assembleText({ objects: custom, directives })).toMatchInlineSnapshot(`
      "web: Fleet shop/web
      error[objects.json-path-syntax]: the JSON path {.spec[ cannot be parsed: a bracket is not closed
        at Tiltfile:4:1
        hint: A path looks like {.spec.containers[?(@.name=='web')].image}.
      error[assembly.invalid-image]: the image of web:fleet:shop:example.com at {.spec.count} cannot be read: spec.count is not text
        at Tiltfile:4:1
        hint: Correct the path so that it leads to the image.
      error[objects.json-path-evaluation]: the JSON path {.spec.ships[7].image} cannot be applied: the index 7 is outside of a list of 2
        at Tiltfile:4:1
        hint: Correct the path so that it leads to the image.
      error[assembly.invalid-image]: web:fleet:shop:example.com has nothing at {.spec.none}
        at Tiltfile:4:1
        hint: Correct the path so that it leads to the image.
      error[assembly.invalid-image]: the image of web:fleet:shop:example.com at {.spec.engine} cannot be read: spec.engine is not an object with the text field "repo"
        at Tiltfile:5:1
        hint: Correct the path so that it leads to the image.
      "
    `);
  });
});

describe("builds", () => {
  it("that nothing uses are warned of, with near names", () => {
    const directives = [
      image("team/wbe"),
      image("gcr.io/other/data"),
      image("far-away-from-everything"),
      image("team/debug", { baseImages: ["team/base:1"] }),
      image("team/base", { baseImages: ["team/root"] }),
      image("team/root"),
    ];
    expect(assembleText({ objects: pod, directives })).toMatchInlineSnapshot(`
      "web: Pod web
      warning[assembly.unused-image]: the image "team/wbe" is built, but nothing uses it
        at Tiltfile:1:1
        hint: Did you mean "team/web"?
      warning[assembly.unused-image]: the image "gcr.io/other/data" is built, but nothing uses it
        at Tiltfile:1:1
        hint: Did you mean "team/data"?
      warning[assembly.unused-image]: the image "far-away-from-everything" is built, but nothing uses it
        at Tiltfile:1:1
        hint: Name it in an object, or remove the build.
      "
    `);
  });

  it("must have a name that can be built, and one of their own", () => {
    const directives = [
      image("Team/web"),
      image(`team/web@sha256:${"0".repeat(64)}`),
      image("team/web"),
      image("docker.io/team/web", { source: line(2) }),
    ];
    expect(assembleText({ objects: pod, directives })).toMatchInlineSnapshot(`
      "web: Pod web
      warning[assembly.unused-image]: the image "Team/web" is built, but nothing uses it
        at Tiltfile:1:1
        hint: Did you mean "team/web" or "team/debug"?
      error[assembly.invalid-image]: "team/web@sha256:0000000000000000000000000000000000000000000000000000000000000000" is no name that an image can be built as
        at Tiltfile:1:1
        hint: Write a repository such as registry.example.com/team/web, with a tag if only that one is meant.
      error[assembly.duplicate-image]: the image "docker.io/team/web" is built twice
        at Tiltfile:2:1
        It is built as "team/web" at Tiltfile:1:1 too.
        hint: Remove one of the two builds, or give one a tag of its own.
      "
    `);
  });

  it("may be used by several workloads, which stay apart", () => {
    const objects = ["a", "b"]
      .map(
        (name) =>
          `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{image: team/web}]}}`,
      )
      .join("\n---\n");
    expect(assembleText({ objects, directives: [image("team/web")] })).toBe("a: Pod a\nb: Pod b\n");
  });
});

describe("what was built", () => {
  const custom = `
apiVersion: example.com/v1
kind: Fleet
metadata: {name: web}
spec: {engine: {repository: team/engine, tag: "1", size: 3}}
`;
  const fleet: Directive = {
    kind: "workload-kind",
    objectKind: "Fleet",
    imageObject: { jsonPath: "{.spec.engine}", repoField: "repository", tagField: "tag" },
  };

  function inject(assemblyCase: AssemblyCase, built: Readonly<Record<string, string>>) {
    const [component] = assembleCase(assemblyCase).components;
    if (component === undefined) throw new Error("no component");
    const before = structuredClone(component.objects.map(({ object }) => object));
    const after = injectImages(component, new Map(Object.entries(built)));
    expect(component.objects.map(({ object }) => object)).toEqual(before);
    return { before: component.objects, after };
  }

  it("is written where it is used, into copies", () => {
    const directives = [
      image("team/web"),
      image("team/side", { matchInEnvVars: true }),
      image("team/data"),
    ];
    const { after } = inject(
      { objects: pod, directives },
      {
        "team/web": "team/web:built-1",
        "team/side": "team/side:built-2",
        "team/data": "team/data:4",
      },
    );
    expect(after[0]?.object["spec"]).toEqual({
      initContainers: [{ name: "i", image: "busybox:1" }],
      containers: [
        {
          name: "c",
          image: "team/web:built-1",
          env: [
            { name: "SIDE", value: "team/side:built-2" },
            { name: "X", value: "1" },
          ],
        },
      ],
      ephemeralContainers: [{ name: "e", image: "team/debug" }],
      volumes: [
        { name: "v", image: { reference: "team/data:4" } },
        { name: "w", emptyDir: {} },
      ],
    });
  });

  it.each<readonly [built: string, engine: object]>([
    ["localhost:5000/e:2", { repository: "localhost:5000/e", tag: "2", size: 3 }],
    ["e@sha256:00", { repository: "e@sha256", tag: "00", size: 3 }],
    ["localhost:5000/e", { repository: "localhost:5000/e", tag: "1", size: 3 }],
  ])("is split into the fields of an image that has two: %s", (built, engine) => {
    const directives = [fleet, image("team/engine")];
    const { after } = inject({ objects: custom, directives }, { "team/engine": built });
    expect(after[0]?.object["spec"]).toEqual({ engine });
  });

  it("leaves objects that use none of it as they are", () => {
    const { before, after } = inject({ objects: pod, directives: [image("team/web")] }, {});
    expect(after[0]).toBe(before[0]);
  });
});
