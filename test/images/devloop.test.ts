import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { deployment, DevProject, type DevRun } from "../devloop/dev-project.ts";

describe("images under keelson up, built with buildah", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  const buildahEnv = (home: string): Readonly<Record<string, string>> => ({
    KEELSON_BUILDER: "buildah",
    BUILDAH_ISOLATION: "chroot",
    STORAGE_DRIVER: "vfs",
    CONTAINERS_STORAGE_CONF: `${home}/storage.conf`,
  });
  const buildah = (...args: readonly string[]): string =>
    execFileSync("buildah", args, {
      env: { PATH: process.env["PATH"], HOME: project.home, ...buildahEnv(project.home) },
      encoding: "utf8",
    });
  const content = (image: string): string => {
    const container = buildah("from", "--pull-never", image).trim();
    const folder = buildah("mount", container).trim();
    const text = execFileSync("cat", [`${folder}/a.txt`], { encoding: "utf8" });
    buildah("rm", container);
    return text;
  };
  const built = async (up: DevRun): Promise<string> => {
    const event = await up.until(
      (each) => each.type === "build" && each.status === "successful",
      "a built image",
    );
    return event.type === "build" ? (event.message ?? "") : "";
  };

  it("are built at first and after each change, and never under the name of other files", async () => {
    project = new DevProject(
      {
        Tiltfile: "docker_build('shop/web', 'web', ignore=['*.md'])\nk8s_yaml('web.json')\n",
        "web/Dockerfile": "FROM scratch\nCOPY a.txt /a.txt\n",
        "web/a.txt": "one",
        "web.json": deployment("web", { image: "shop/web" }),
      },
      buildahEnv,
    );
    project.writeHome(
      "storage.conf",
      `[storage]\ndriver = "vfs"\ngraphroot = "${project.home}/storage"\nrunroot = "${project.home}/run"\n`,
    );
    const up = project.start("up");
    const first = await built(up);
    await up.component("web", "runtime ok");
    expect(content(first)).toBe("one");

    project.write("web/NOTES.md", "not part of it");
    project.write("web/a.txt", "two");
    const second = await built(up);
    await up.component("web", "update ok");
    expect(second).not.toBe(first);
    expect(content(second)).toBe("two");
    expect(up.writes()).toEqual(["created Deployment web", "configured Deployment web"]);

    // Whatever is saved while the builder runs: each name stands for its content.
    for (const text of ["three", "four", "three"]) {
      project.write("web/a.txt", text);
      await up.until((event) => event.type === "build" && event.status === "started", text);
    }
    project.write("web/a.txt", "five");
    let last = "";
    while (last === "" || content(last) !== "five") last = await built(up);
    await up.component("web", "update ok");
    expect(buildah("images", "--format", "{{.Tag}}")).not.toContain("unchecked");
    await up.stop();
    expect((await project.run("plan")).stdout).toContain("1 unchanged");

    // Back to what was there before: what is in the store is what it is called.
    for (const text of ["one", "three", "four"]) {
      project.write("web/a.txt", text);
      const { stdout } = await project.run("apply --output json");
      const name = /shop\/web:keelson-[0-9a-f]{16}/.exec(stdout)?.[0] ?? "";
      expect([text, content(name)]).toEqual([text, text]);
      if (text === "one") expect(stdout).toContain('"status":"cached"');
    }
  });
});
