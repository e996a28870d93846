import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url).pathname;

describe("the image of the controller", () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "keelson-image-"));
    const storage = join(folder, "storage.conf");
    writeFileSync(
      storage,
      `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
    );
    env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      BUILDAH_ISOLATION: "chroot",
      STORAGE_DRIVER: "vfs",
      CONTAINERS_STORAGE_CONF: storage,
    };
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { cwd: folder, env, encoding: "utf8" });

  it("is built from nothing but the pinned Node and Keelson, and runs", () => {
    const context = join(folder, "build/image");
    execFileSync(process.execPath, ["scripts/image-context.ts", context], { cwd: root, env });
    cpSync(join(root, "Containerfile"), join(folder, "Containerfile"));
    run("buildah", "build", "-t", "keelson", ".");
    const container = run("buildah", "from", "--pull-never", "keelson").trim();
    const inside = (...args: readonly string[]): string =>
      run("buildah", "run", container, "--", "/bin/node", "/app/bin/keelson.js", ...args);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(inside("--version").trim()).toBe(version);
    expect(inside("controller", "--help")).toContain("keelson controller --install");
    expect(inside("install", "--definitions-only")).toContain("bundles.smith.atlassian.com");
  });
});
