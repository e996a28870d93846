import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { evaluateTiltfile, loadTiltfile } from "../../src/sources/tiltfile/index.ts";
import { type Files, makeFolder } from "./run-tiltfile.ts";

/** Looks for its place as the extensions do that keep files of their own: upwards, for `tilt_modules`. */
const selfFinding = `
def place():
  current = os.path.abspath('./')
  for _ in range(50):
    if os.path.exists(os.path.join(current, 'tilt_modules')):
      return current
    current = os.path.dirname(current)
  fail('there is no tilt_modules above')
root = place()
load('../other/Tiltfile', other='name')
name = other
`;
const extensions: Files = {
  "finder/Tiltfile": selfFinding,
  "other/Tiltfile": "name = 'first'\n",
};
const use = "load('ext://finder', 'root', 'name')\nprint(root)\nprint(name)";

function printed(text: string, home: string, environment: Readonly<Record<string, string>> = {}) {
  const result = loadTiltfile({
    path: "Tiltfile",
    text,
    workingDirectory: home,
    environment: { PATH: process.env["PATH"] ?? "", HOME: home, ...environment },
  });
  return [
    ...result.output.filter(({ kind }) => kind === "print").map((line) => line.text),
    ...result.diagnostics.map(({ summary }) => summary),
  ].map((line) => line.replaceAll(home, "~"));
}

describe("extensions find their place below tilt_modules", () => {
  it("in the directory that the environment names", () => {
    const home = makeFolder(under("exts", extensions));
    const environment = { KEELSON_EXTENSION_PATH: join(home, "exts") };
    const found = ["~/.local/share/keelson", "first"];
    expect(printed(use, home, environment)).toEqual(found);
    expect(printed(use, home, environment)).toEqual(found);
  });

  it("in a repository that is a directory", () => {
    const home = makeFolder(under("mine/deep", extensions));
    const text = `v1alpha1.extension_repo('mine', url='file://${home}/mine', git_subpath='deep')
v1alpha1.extension('finder', repo_name='mine')\n${use}`;
    expect(printed(text, home, { XDG_DATA_HOME: join(home, "data") })).toEqual([
      "~/data/keelson",
      "first",
    ]);
  });

  it("nowhere, where that directory is missing", () => {
    const home = makeFolder({});
    const text = `v1alpha1.extension_repo('default', url='file://${home}/gone')\n${use}`;
    expect(printed(text, home)).toEqual([
      "the repository of extensions was not found: there is no directory gone",
    ]);
  });

  it("in Tilt's own copy", () => {
    const tilt = ".local/share/tilt-dev/tilt_modules/github.com/tilt-dev/tilt-extensions";
    const home = makeFolder(under(tilt, extensions));
    expect(printed(use, home)).toEqual(["~/.local/share/tilt-dev", "first"]);
  });

  it("where nothing can be written, as long as they do not need it", () => {
    const home = makeFolder({ ...under("exts", { "a/Tiltfile": "x = 1" }), data: "a file" });
    const environment = {
      KEELSON_EXTENSION_PATH: join(home, "exts"),
      XDG_DATA_HOME: join(home, "data"),
    };
    expect(printed("load('ext://a', 'x')\nprint(x)", home, environment)).toEqual(["1"]);
  });
});

describe("repositories that git fetches", () => {
  it("are fetched once for each version, and stay as they were fetched", async () => {
    const home = makeFolder({});
    const { url, commit, change } = await serveRepository(home, extensions);
    const text = (more: string): string =>
      `v1alpha1.extension_repo('default', url='${url}'${more})\n${use}`;
    const place = (host: string): string => `~/.local/share/${host}`;
    const root = place("keelson");
    expect(await evaluated(text(""), home)).toEqual([root, "first"]);
    change({ "other/Tiltfile": "name = 'second'\n" }, "branch");
    change({ "other/Tiltfile": "name = 'third'\n" }, "main", "v3");
    expect(await evaluated(text(""), home)).toEqual([root, "first"]);
    expect(await evaluated(text(`, ref='${commit}'`), home)).toEqual([root, "first"]);
    expect(await evaluated(text(", ref='branch'"), home)).toEqual([root, "second"]);
    expect(await evaluated(text(", ref='v3'"), home)).toEqual([root, "third"]);
    const folder = join(home, ".local/share/keelson/tilt_modules/127.0.0.1");
    const [port = ""] = readdirSync(folder);
    expect(readdirSync(join(folder, port)).sort()).toEqual(
      ["exts", `exts@${commit}`, "exts@branch", "exts@v3"].sort(),
    );
  });

  it("say why they cannot be fetched, and leave nothing that looks fetched", async () => {
    const home = makeFolder({});
    const { url } = await serveRepository(home, extensions);
    const text = `v1alpha1.extension_repo('default', url='${url}', ref='nothere')\n${use}`;
    const expected = [
      expect.stringMatching(
        /^the extensions of http.* cannot be fetched: .*(?:invalid reference: |pathspec ')nothere/,
      ),
    ];
    expect(await evaluated(text, home)).toEqual(expected);
    expect(await evaluated(text, home)).toEqual(expected);
  });

  it.each(["--upload-pack=id", "-b"])("take no options for a version: %s", (ref) => {
    const home = makeFolder({});
    const text = `v1alpha1.extension_repo('default', url='https://127.0.0.1:1/x', ref='${ref}')`;
    expect(printed(text, home)).toEqual([expect.stringContaining("is no ref")]);
  });
});

async function evaluated(text: string, home: string): Promise<readonly string[]> {
  const result = await evaluateTiltfile({
    path: "Tiltfile",
    text,
    workingDirectory: home,
    environment: { PATH: process.env["PATH"] ?? "", HOME: home },
  });
  return [
    ...result.output.filter(({ kind }) => kind === "print").map((line) => line.text),
    ...result.diagnostics.map(({ summary }) => summary),
  ].map((line) => line.replaceAll(home, "~"));
}

function under(folder: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
  );
}

interface Served {
  readonly url: string;
  readonly commit: string;
  /** Commits changed files to a branch, with a tag if one is given. */
  readonly change: (files: Files, branch: string, tag?: string) => void;
}

/** A repository behind HTTP, in a process of its own: evaluations may hold up this one. */
async function serveRepository(home: string, files: Files): Promise<Served> {
  const work = join(home, "work");
  const bare = join(home, "served", "exts.git");
  const git = (...args: readonly string[]): string =>
    execFileSync(
      "git",
      ["-C", work, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args],
      {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: home },
      },
    ).trim();
  const commitFiles = (changed: Files): void => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text);
    }
    git("add", ".");
    git("commit", "--quiet", "--message", "a");
  };
  const publish = (): void => {
    git("push", "--quiet", "--mirror", bare);
    git("-C", bare, "update-server-info");
  };
  mkdirSync(work, { recursive: true });
  git("init", "--quiet", "--initial-branch", "main");
  git("init", "--quiet", "--bare", "--initial-branch", "main", bare);
  commitFiles(files);
  publish();
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, "serve-folder.mjs"), dirname(bare)],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  onTestFinished(() => {
    server.stdin.end();
  });
  const port = await new Promise<string>((resolve) => {
    server.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
  });
  return {
    url: `http://127.0.0.1:${port}/exts.git`,
    commit: git("rev-parse", "HEAD"),
    change: (changed, branch, tag) => {
      git("checkout", "--quiet", "-B", branch);
      commitFiles(changed);
      if (tag !== undefined) git("tag", tag);
      publish();
    },
  };
}
