import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { ensureGo } from "../cluster/go-toolchain.ts";
import { imageOfDeployment } from "../sandbox/image-of-deployment.ts";

describe("images of a Tiltfile, built with buildah", () => {
  let home: string;
  let env: Record<string, string>;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "keelson-buildah-"));
    env = {
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      KEELSON_BUILDER: "buildah",
      // What works without an engine and inside of containers.
      BUILDAH_ISOLATION: "chroot",
      STORAGE_DRIVER: "vfs",
      CONTAINERS_STORAGE_CONF: write("storage.conf", storage()),
    };
  });
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const storage = (): string =>
    `[storage]\ndriver = "vfs"\ngraphroot = "${home}/storage"\nrunroot = "${home}/run"\n`;
  const write = (path: string, text: string): string => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const keelson = (line: string): Promise<Ran> =>
    runKeelson(line.split(" "), { env, workingDirectory: home });
  const imageOf = async (): Promise<string> => {
    const { stdout } = await keelson("assemble app --output json");
    expect(stdout).toContain("shop/web");
    return imageOfDeployment(home, "web");
  };

  it("are built with their bases, named after their content, and built again only on a change", async () => {
    write("hello.go", 'package main\n\nfunc main() { println("hello") }\n');
    const go = (await ensureGo((line) => console.log(line))) ?? "go";
    execFileSync(go, ["build", "-o", join(home, "app/web/hello"), join(home, "hello.go")], {
      env: { ...process.env, CGO_ENABLED: "0", GO111MODULE: "off" },
    });
    write("app/base/Dockerfile", "FROM scratch\nCOPY greeting /greeting\n");
    write("app/base/greeting", "good day\n");
    write("app/web/Dockerfile", 'FROM shop/base\nCOPY hello /hello\nENTRYPOINT ["/hello"]\n');
    write(
      "app/web.yaml",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: shop/web}]}\n",
    );
    write(
      "app/Tiltfile",
      "docker_build('shop/base', 'base')\ndocker_build('shop/web', 'web', ignore=['*.md'])\nk8s_yaml('web.yaml')\n",
    );
    write("app/keelson.json", '{"project": "shop"}');

    const planned = await keelson("plan app");
    expect(planned.stdout).toBe("+ Deployment.apps default/web\n1 to create\n");

    const first = await keelson("apply app");
    expect({ code: first.code, errors: first.stderr.includes("error[") }).toEqual({
      code: 0,
      errors: false,
    });
    expect(first.stdout).toContain("building shop/base");
    expect(first.stdout).toContain("✓ shop/web built: shop/web:keelson-");
    const image = await imageOf();
    expect(image).toMatch(/^shop\/web:keelson-[0-9a-f]{16}$/);
    const files = execFileSync("buildah", ["inspect", "--type", "image", image], { env });
    expect(files.toString()).toContain("/hello");

    write("app/web/NOTES.md", "not part of the image");
    const second = await keelson("apply app");
    expect(second.stdout).toContain("1 unchanged");
    expect(second.stdout).not.toContain("building");

    write("app/base/greeting", "good night\n");
    const third = await keelson("apply app");
    expect(third.stdout).toContain("✓ shop/base built");
    expect(third.stdout).toContain("1 configured");
    expect(await imageOf()).not.toBe(image);

    write("app/web/Dockerfile", "FROM shop/base\nCOPY no-such-file /x\n");
    const failed = await keelson("apply app");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("error[images.build-failed]: shop/web could not be built");
    expect(failed.stderr).toContain("no-such-file");
  });
});
