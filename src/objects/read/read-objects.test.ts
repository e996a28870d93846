import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readObjects } from "./read-objects.ts";
import type { ObjectInput, ReadObjectsOptions } from "./read-objects.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-objects-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Names of objects, or codes and summaries of diagnostics, with paths inside of the test's folder. */
async function read(
  inputs: readonly ObjectInput[],
  options?: ReadObjectsOptions,
): Promise<readonly string[]> {
  const paths = inputs.map((input) =>
    typeof input === "string" && input !== "-" ? join(folder, input) : input,
  );
  const { objects, diagnostics } = await readObjects(paths, options);
  expect(diagnostics.length > 0 && objects.length > 0).toBe(false);
  const shown = diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
  return [...shown, ...objects.map(({ object }) => object.metadata.name ?? "")].map((text) =>
    text.replaceAll(`${folder}/`, ""),
  );
}

test("a directory is read with all below it, in the byte order of the paths", async () => {
  for (const path of ["b.yaml", "a/z.yml", "a.json", "B.yaml", "a/b/c.yaml", "ä.yaml"]) {
    const text = '{"apiVersion":"v1","kind":"X","metadata":{"name":"a.json"}}';
    await write(path, path.endsWith(".json") ? text : configMap(JSON.stringify(path)));
  }
  for (const path of [".hidden.yaml", ".git/x.yaml", "notes.txt"])
    await write(path, configMap("no"));
  await symlink(join(folder, "b.yaml"), join(folder, "link.yaml"));
  await symlink(folder, join(folder, "loop"));
  expect(await read(["."])).toEqual([
    "B.yaml",
    "a.json",
    "a/b/c.yaml",
    "a/z.yml",
    "b.yaml",
    "b.yaml",
    "ä.yaml",
  ]);
});

test("packages and what ignore files name are left out, unless they are named themselves", async () => {
  const names = [
    "a.yaml",
    "node_modules/theirs/example.yaml",
    "deep/node_modules/x.json",
    "dist/made.yaml",
    "deep/secret.yaml",
    "deep/kept.yaml",
    "generated/one.yaml",
    "local.yaml",
  ];
  for (const path of names)
    await write(path, JSON.stringify({ apiVersion: "v1", kind: "X", metadata: { name: path } }));
  await write(".git/config", "");
  await write(".gitignore", "dist/\ngenerated\n*.local\nsecret.yaml\nkept.yaml\n");
  await write("deep/.keelsonignore", "!kept.yaml\n");
  await write(".krmignore", "local.yaml\n");
  const left = "deep/node_modules/, deep/secret.yaml, dist/, generated/, local.yaml and 1 more";
  const readNames = async (input: string): Promise<readonly string[]> => {
    const { objects, diagnostics } = await readObjects([join(folder, input)]);
    return [
      ...diagnostics.map(({ severity, code, summary }) =>
        `${severity}[${code}]: ${summary}`.replace(join(folder, input), input),
      ),
      ...objects.map(({ object }) => object.metadata.name ?? ""),
    ];
  };
  expect(await readNames(".")).toEqual([
    `warning[objects.left-out]: left out below .: ${left}`,
    "a.yaml",
    "deep/kept.yaml",
  ]);
  // Rules of the repository hold below it, too.
  expect(await readNames("deep")).toEqual([
    "warning[objects.left-out]: left out below deep: node_modules/, secret.yaml",
    "deep/kept.yaml",
  ]);
  expect(await readNames("generated")).toEqual(["generated/one.yaml"]);
  expect(await readNames("node_modules/theirs")).toEqual(["node_modules/theirs/example.yaml"]);
  expect(await readNames("deep/secret.yaml")).toEqual(["deep/secret.yaml"]);
});

test("a file is read whatever its name is, and inputs keep their order", async () => {
  await write("b", configMap("b"));
  const text = { name: "made", text: configMap("a") };
  expect(await read(["b", text])).toEqual(["b", "a"]);
});

test("the standard input is read, and must not be empty", async () => {
  const stdin = () => Readable.from([Buffer.from(configMap("a"))]);
  expect(await read(["-"], { stdin: stdin() })).toEqual(["a"]);
  for (const chunks of [[], [Buffer.from("# nothing\n---\n")]]) {
    expect(await read(["-"], { stdin: Readable.from(chunks) })).toEqual([
      "objects.input-empty: the standard input holds no object",
    ]);
  }
});

test("every input that cannot be read is reported", async () => {
  await mkdir(join(folder, "empty"));
  await write("binary.yaml", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
  await write("latin.yaml", Buffer.from("a: x\nb: \xe9\n", "latin1"));
  await write("fine.yaml", configMap("a"));
  await symlink("nowhere", join(folder, "dangling.yaml"));
  await symlink("circle", join(folder, "circle"));
  const inputs = [
    "missing.yaml",
    "empty",
    "binary.yaml",
    "latin.yaml",
    "fine.yaml/x",
    "dangling.yaml",
    "circle",
  ];
  expect(await read(inputs)).toEqual([
    "objects.file-missing: missing.yaml does not exist",
    "objects.directory-empty: the directory empty holds no .yaml, .yml or .json file",
    "objects.not-text: binary.yaml cannot be read: it is a binary file",
    "objects.not-text: latin.yaml cannot be read: it is not encoded as UTF-8",
    "objects.file-missing: fine.yaml/x does not exist",
    "objects.file-missing: dangling.yaml does not exist",
    "objects.file-unreadable: circle cannot be read: its links go in a circle",
  ]);
});

test("the place of a byte that is not UTF-8 is told", async () => {
  await write("latin.yaml", Buffer.concat([Buffer.from("a: ü\nü: "), Buffer.from([0xe9, 10])]));
  const { diagnostics } = await readObjects([join(folder, "latin.yaml")]);
  expect(diagnostics[0]?.source?.start).toEqual({ line: 2, column: 4 });
});

test("a file of 100 MB is refused without being read", async () => {
  await write("large.yaml", "");
  await truncate(join(folder, "large.yaml"), 100 * 1024 * 1024);
  expect(await read(["large.yaml"])).toEqual([
    "objects.input-too-large: large.yaml is too large to be read: 100 MiB, more than 64 MiB",
  ]);
});

test("an endless input is given up, and so are too many", async () => {
  let given = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        given++;
        yield Buffer.alloc(1024, "#");
      }
    })(),
  );
  expect(await read(["-"], { stdin: endless, limits: { mostBytesOfFile: 10_000 } })).toEqual([
    "objects.input-too-large: <stdin> is too large to be read: more than 10 KiB",
  ]);
  expect(given).toBeLessThan(100);
  await write("a.yaml", configMap("a"));
  await write("b.yaml", configMap("b"));
  expect(await read(["."], { limits: { mostBytes: 60 } })).toEqual([
    "objects.input-too-large: the inputs together are larger than 60 bytes; reading stopped at b.yaml",
  ]);
  expect(await read(["."], { limits: { mostValues: 10 } })).toEqual([
    "objects.input-too-large: the inputs together have more than 10 values; reading stopped at b.yaml",
  ]);
  expect(await read(["."], { limits: { mostFiles: 1 } })).toEqual([
    `objects.input-too-large: ${folder} holds more than 1 files`,
  ]);
});

test("a kustomization or a chart is told as such, once", async () => {
  await write("k/kustomization.yaml", "resources: [map.yaml]\n");
  await write("k/map.yaml", configMap("map"));
  await write("k/patch.yaml", "data: {a: b}\n");
  const unrendered = "it has to be rendered to objects first";
  expect(await read(["k"])).toEqual([`objects.unrendered: k is a kustomization; ${unrendered}`]);
  const kind = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
  await write("k/kustomization.yaml", kind);
  expect((await read(["k"]))[0]).toContain("k is a kustomization");
  await write("k/patch.yaml", configMap("patch"));
  await write("k/kustomization.yaml", `${kind}metadata: {name: k}\n`);
  expect((await read(["k"]))[0]).toContain("k is a kustomization");
  const local = 'annotations: {config.kubernetes.io/local-config: "true"}';
  await write("k/kustomization.yaml", `${kind}metadata: {name: k, ${local}}\n`);
  expect(await read(["k"])).toEqual(["k", "map", "patch"]);

  await write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 0.1.0\n");
  await write("c/values.yaml", "color: blue\n");
  await write("c/templates/map.yaml", "{{ if .Values.color }}\nkind: ConfigMap\n{{ end }}\n");
  expect(await read(["c"])).toEqual([`objects.unrendered: c is a Helm chart; ${unrendered}`]);
});
