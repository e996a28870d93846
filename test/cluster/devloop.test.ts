import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { load } from "js-yaml";
import { afterEach, describe, expect, inject, it } from "vitest";
import { configMap, deployment, DevProject, freePort } from "../devloop/dev-project.ts";
import { kwokLogLines } from "./kwok-config.ts";

const unique = `d${Date.now() % 100_000}`;

describe("the dev loop on a real control plane", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.run("down");
    await project.close();
  });

  /** A project on the test cluster, whose context it allows. */
  const open = (name: string, files: Readonly<Record<string, string>>): DevProject => {
    const kubeconfig = inject("kubeconfig");
    const { "current-context": context } = load(readFileSync(kubeconfig, "utf8")) as {
      readonly "current-context": string;
    };
    const settings = { project: `${name}-${unique}`, allowedContexts: [context] };
    return new DevProject({ "keelson.json": JSON.stringify(settings), ...files }, () => ({
      KUBECONFIG: kubeconfig,
    }));
  };
  const name = (base: string): string => `${base}-${unique}`;

  it("applies a directory, then what changed, and prunes what left", async () => {
    const [a, web] = [name("a"), name("web")];
    project = open("yaml", { "a.yaml": configMap(a, "one"), "web.yaml": deployment(web) });
    const up = project.start("up");
    for (const line of kwokLogLines) await up.log(web, line);
    await up.is(web, "runtime ok");
    expect(up.writes().toSorted()).toEqual([`created ConfigMap ${a}`, `created Deployment ${web}`]);

    project.write("a.yaml", configMap(a, "two"));
    await up.until((event) => event.type === "apply" && event.change === "configured", "a change");
    rmSync(project.path("web.yaml"));
    await up.until((event) => event.type === "prune" && event.status === "successful", "a prune");
    expect(up.writes().slice(2)).toEqual([`configured ConfigMap ${a}`, `pruned Deployment ${web}`]);
    expect(await up.stop()).toBe(0);
    expect((await project.run("status")).stdout).toContain(`ConfigMap default/${a}: Current`);
    expect((await project.run("down")).stdout).toContain("1 deleted");
  });

  it("runs a Tiltfile: images, dependencies, ports, and what cannot be read", async () => {
    const [db, web, local] = [name("db"), name("web"), await freePort()];
    const tiltfile = `k8s_yaml(['db.json', 'web.json'])
custom_build('shop/web', 'cat src/a.txt', deps=['src'], skips_local_docker=True)
k8s_resource('${web}', resource_deps=['${db}'], port_forwards='${local}:8080')
local_resource('seed', cmd='echo seeded', resource_deps=['${web}'])
`;
    project = open("tilt", {
      Tiltfile: tiltfile,
      "src/a.txt": "one\n",
      "db.json": deployment(db),
      "web.json": deployment(web, { image: "shop/web", port: 8080 }),
    });
    const up = project.start("up");
    await up.component("seed", "update ok");
    expect(up.writes()).toEqual([`created Deployment ${db}`, `created Deployment ${web}`]);
    expect(await echo(local, "hello\n")).toBe("hello\n");

    project.write("src/a.txt", "two\n");
    await up.until((event) => event.type === "build" && event.message === "two", "a build");
    await up.component(web, "update ok");
    await up.is(web, "runtime ok");
    expect(up.writes().at(-1)).toBe(`configured Deployment ${web}`);
    // The pod was replaced; the port is the same.
    expect(await echo(local, "again\n")).toBe("again\n");

    project.write("Tiltfile", `${tiltfile}(`);
    await up.load("failed");
    project.write("Tiltfile", tiltfile.replace("'db.json', ", "").replace(`['${db}']`, "[]"));
    await up.until((event) => event.type === "prune" && event.status === "successful", "a prune");
    expect(up.writes().at(-1)).toBe(`pruned Deployment ${db}`);
    await up.stop();
    const { stdout } = await project.run(`logs ${web} --tail 1`);
    expect(stdout).toBe(`${kwokLogLines.at(-1) ?? ""}\n`);
  });

  it("runs once for ci", async () => {
    const web = name("ci");
    project = open("ci", { "web.json": deployment(web) });
    const { code, stdout } = await project.run("ci --timeout 1m");
    expect(stdout).toContain("✓ 1 component is ready");
    expect(code).toBe(0);
  });
});

/** kwok's forwards say what they were told. */
function echo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
      if (answer.length >= text.length) socket.destroy();
    });
    socket.once("close", () => {
      resolve(answer);
    });
    socket.once("error", reject);
    socket.write(text);
  });
}
