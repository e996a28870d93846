import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { imageOfDeployment } from "../sandbox/image-of-deployment.ts";
import { configMap, deployment, DevProject, type DevRun } from "./dev-project.ts";

/** A build that reads one file, goes on when it may, and reads the other. Its images are files. */
const heldBuild = `A=$(cat src/a.txt)
echo "found $A"
until test -e "go/$A"; do sleep 0.02; done
mkdir -p store
printf "$A $(cat src/b.txt)" > store/$EXPECTED_TAG
`;
const files = (tiltfile: string): Readonly<Record<string, string>> => ({
  Tiltfile: `custom_build('web', 'sh build.sh', deps=['src'], skips_local_docker=True)
k8s_yaml('web.json')
${tiltfile}`,
  "build.sh": heldBuild,
  "src/a.txt": "one",
  "src/b.txt": "one",
  "web.json": deployment("web", { image: "web" }),
});

function found(up: DevRun, text: string): Promise<unknown> {
  return up.until(
    (event) => event.type === "build" && event.message === `found ${text}`,
    `a build that finds ${text}`,
  );
}

/** What is in the image that runs. */
async function running(project: DevProject): Promise<string> {
  const image = await imageOfDeployment(project.home, "web");
  const tag = image.slice(image.indexOf(":") + 1);
  return readFileSync(project.path(`store/${tag}`), "utf8");
}

describe("files that change while keelson up is busy", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("are built again by themselves when they are of the image that is being built", async () => {
    project = new DevProject(files(""));
    const up = project.start("up");
    await found(up, "one");
    project.write("src/a.txt", "two");
    project.write("src/b.txt", "two");
    project.write("go/one", "");
    project.write("go/two", "");
    await found(up, "two");
    await up.component("web", "runtime ok");
    expect(up.writes()).toEqual(["created Deployment web"]);
    await up.stop();
    expect((await project.run("plan")).stdout).toContain("1 unchanged");
  });

  it("are built again by ci, too, where nobody watches files", async () => {
    project = new DevProject(files(""));
    const ci = project.start("ci");
    await found(ci, "one");
    project.write("src/a.txt", "two");
    project.write("go/one", "");
    project.write("go/two", "");
    expect(await ci.exit()).toBe(0);
    expect(await running(project)).toBe("two one");
  });

  it("are built until a build leaves them alone, but not for ever", async () => {
    project = new DevProject({ ...files(""), "build.sh": "date +%s%N > src/built.txt\n" });
    const up = project.start("up");
    const given = await up.component("web", "update pending: RestlessFiles");
    expect(given.update.message).toContain("its files changed during each of 10 builds");
    expect(up.writes()).toEqual([]);
    project.write("build.sh", "echo better\n");
    await project.run("trigger web");
    await up.component("web", "runtime ok");
  });

  it("hold up nobody who needs no build", async () => {
    project = new DevProject({
      ...files("k8s_yaml('other.json')"),
      "other.json": deployment("other"),
    });
    const up = project.start("up");
    await up.component("other", "runtime ok");
    expect(up.writes()).toEqual(["created Deployment other"]);
    project.write("go/one", "");
    await up.component("web", "runtime ok");
  });

  it("end with keelson up, together with the build that runs", async () => {
    project = new DevProject(files(""));
    const up = project.start("up");
    await found(up, "one");
    expect(await up.stop()).toBe(0);
  });

  it("are all applied when they come faster than they can be", async () => {
    let count = 0;
    project = new DevProject({
      "a.yaml": configMap("a", "zero"),
      "b.yaml": configMap("b", "zero"),
    });
    const up = project.start("up");
    await up.component("uncategorized", "runtime ok");
    const edit = fc.record({ name: fc.constantFrom("a", "b"), waits: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 8 }), async (edits) => {
        for (const { name, waits } of edits) {
          project.write(`${name}.yaml`, configMap(name, `v${++count}`));
          if (waits) await up.load("successful");
        }
        const last = `last-${++count}`;
        project.write("last.yaml", configMap(last, "here"));
        await up.until((event) => event.type === "apply" && event.object.name === last, last);
        await up.component("uncategorized", "update ok");
      }),
      { numRuns: 10 },
    );
    await up.stop();
    expect((await project.run("plan")).stdout).toContain("3 unchanged");
  });

  it("are what runs in the end, whenever they were saved", async () => {
    let count = 0;
    const next = (): string => `${++count}`;
    project = new DevProject({ ...files(""), "go/one": "", "go/back": "" });
    const up = project.start("up");
    await up.component("web", "runtime ok");
    const edit = fc.record({ file: fc.constantFrom("a", "b"), isBack: fc.boolean() });
    const group = fc.record({ edits: fc.array(edit, { maxLength: 3 }), isHeld: fc.boolean() });
    await fc.assert(
      // More could be as many builds in a row as keelson takes for a build that changes its own files.
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 2 }), async (groups) => {
        for (const { edits, isHeld } of groups) {
          const first = next();
          if (!isHeld) project.write(`go/${first}`, "");
          project.write("src/a.txt", first);
          await found(up, first);
          for (const { file, isBack } of edits) {
            const text = isBack ? "back" : next();
            project.write(`go/${text}`, "");
            project.write(`src/${file}.txt`, text);
          }
          project.write(`go/${first}`, "");
        }
        const last = next();
        project.write(`go/${last}`, "");
        project.write("src/a.txt", last);
        await found(up, last);
        await up.component("web", "update ok");
        await up.is("web", "runtime ok");
      }),
      { numRuns: 20 },
    );
    await up.stop();
    expect((await project.run("plan")).stdout).toContain("1 unchanged");
    expect(await running(project)).toBe(
      `${readFileSync(project.path("src/a.txt"), "utf8")} ${readFileSync(project.path("src/b.txt"), "utf8")}`,
    );
  });
});
