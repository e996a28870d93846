import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";
import { kubectlPath } from "../cluster/kubectl.ts";
import { moduleFolder } from "./module-folder.ts";

/** Stand-ins for Tilt's extensions, which are no Go module: what they declare, and nothing more. */
const extensions = {
  restart_process: `def docker_build_with_restart(ref, context, entrypoint, live_update, restart_file='', **kwargs):
    docker_build(ref, context, entrypoint=entrypoint, live_update=live_update, **kwargs)
`,
  uibutton: `location = struct(NAV='nav')
def cmd_button(name, **kwargs):
    pass
`,
};

/** What is not supported is said, and is all that is said. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "integration/dcbuild": ["tiltfile.not-supported"],
};

const tilt = await moduleFolder({
  module: "github.com/tilt-dev/tilt",
  version: "v0.34.0",
  sum: "h1:oJAAkIiV34TEdlNqjDWkKG29hsAln7Ao28F+RTEZN24=",
});
const argo = await moduleFolder({ module: "github.com/argoproj/argo-cd/v3", version: "v3.1.9" });

describe("Tiltfiles of others", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-tiltfiles-"));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = {
    HOME: folder,
    PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    KEELSON_EXTENSION_PATH: join(folder, "extensions"),
    KUBECONFIG: inject("kubeconfig"),
  };
  beforeAll(async () => {
    for (const [name, text] of Object.entries(extensions)) {
      const file = join(folder, "extensions", name, "Tiltfile");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    mkdirSync(join(folder, "bin"));
    symlinkSync(await kubectlPath(), join(folder, "bin/kubectl"));
    // Some look for the checkout that they are in, and some write beside themselves.
    mkdirSync(join(folder, ".git"));
    cpSync(join(tilt, "integration"), join(folder, "integration"), { recursive: true });
  });

  const own = readdirSync(join(tilt, "integration"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/Tiltfile"))
    .map((path) => `integration/${dirname(path)}`)
    .toSorted();

  it.each(own)("tilt: %s", async (path) => {
    expect(await errorsOf(join(folder, path))).toEqual(refused[path] ?? []);
  });
  it("argo-cd", async () => {
    expect(await errorsOf(argo)).toEqual([]);
  });

  /** The codes of all errors of `assemble`; without one it must have found something. */
  async function errorsOf(workingDirectory: string): Promise<readonly string[]> {
    const { stdout, stderr, code } = await runKeelson(["assemble", "Tiltfile"], {
      env: environment,
      workingDirectory,
    });
    const errors = [...stderr.matchAll(/^error\[(\S+)\]/gm)].map(([, found = ""]) => found);
    expect(code).toBe(errors.length === 0 ? 0 : 1);
    if (errors.length === 0) expect(stdout).toMatch(/^[1-9]\d* components?, /m);
    return errors;
  }
});
