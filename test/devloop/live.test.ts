import { readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { defaultDataFolder } from "../../src/sandbox/index.ts";
import { kubectlPath } from "../cluster/kubectl.ts";
import { deployment, DevProject, freePort } from "./dev-project.ts";

/** Asks a server; the text of its answer. */
function get(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += String(chunk)));
      answer.on("end", () => {
        resolve(text);
      });
    });
    sent.once("error", reject);
    sent.end();
  });
}

describe("containers under keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  const server = (port: number, answer: string): string =>
    deployment("web", {
      port,
      run: `echo begun ${answer}; exec "${process.execPath}" -e 'require("node:http").createServer((q, r) => r.end("${answer}")).listen(process.env.PORT, "127.0.0.1", () => console.log("listening ${answer}"))'`,
    });

  it("are reached through a port that outlives their pods, and their logs are shown", async () => {
    const [local, first, second] = [await freePort(), await freePort(), await freePort()];
    project = new DevProject({
      Tiltfile: `k8s_yaml('web.json')\nk8s_resource('web', port_forwards=port_forward(${local}, name='page', link_path='home'), links=['https://docs.example'])`,
      "web.json": server(first, "one"),
    });
    const up = project.start("up", "--allow-processes");
    await up.log("web", "listening one");
    expect(await get(local)).toBe("one");
    const told = up.events.findLast((event) => event.type === "component");
    expect(told).toMatchObject({
      endpoints: [
        { url: `http://localhost:${local}/home`, name: "page" },
        { url: "https://docs.example" },
      ],
    });
    project.write("web.json", server(second, "two"));
    await up.log("web", "listening two");
    expect(await get(local)).toBe("two");
  });

  it("are reached through their Service, too", async () => {
    const [local, port] = [await freePort(), await freePort()];
    const service = `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"}, "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": ${port}}]}}`;
    project = new DevProject({
      Tiltfile: `k8s_yaml(['web.json', 'service.json'])
k8s_resource(new_name='front', objects=['front:service'], port_forwards='${local}:80')`,
      "web.json": server(port, "one"),
      "service.json": service,
    });
    const up = project.start("up", "--allow-processes");
    await up.log("web", "listening one");
    expect(await get(local)).toBe("one");
  });

  it("are reached through a free port when theirs is taken, or when any will do", async () => {
    const [wanted, port] = [await freePort(), await freePort()];
    const other = createServer().listen(wanted, "127.0.0.1");
    project = new DevProject({
      Tiltfile: `k8s_yaml('web.json')
k8s_resource('web', port_forwards=[port_forward(${wanted}, ${port}, name='fixed'), port_forward(0, ${port}, name='any'), '0:${port}'])`,
      "web.json": server(port, "one"),
    });
    const up = project.start("up", "--allow-processes");
    const warning = await up.until(({ type }) => type === "warning", "a warning");
    await up.log("web", "listening one");
    const { endpoints } = await up.is("web", "update ok");
    const ports = endpoints.map(({ url }) => Number(new URL(url).port));
    expect(endpoints.map(({ name }) => name)).toEqual(["fixed", "any", undefined]);
    expect(ports).not.toContain(wanted);
    expect(warning).toMatchObject({
      code: "devloop.port",
      summary: `port ${wanted} of 127.0.0.1 is in use: web is reached through port ${ports[0] ?? 0} instead`,
    });
    for (const each of ports) expect(await get(each)).toBe("one");
    await new Promise((resolve) => other.close(resolve));
  });

  it("say so when a forward leads to no port", async () => {
    project = new DevProject({
      Tiltfile: "k8s_yaml('web.json')\nk8s_resource('web', port_forwards=port_forward(0))",
      "web.json": deployment("web"),
    });
    const up = project.start("up");
    const { endpoints } = await up.component("web", "runtime ok");
    const port = Number(new URL(endpoints[0]?.url ?? "").port);
    await expect(get(port)).rejects.toThrow(/hang up|ECONNRESET/);
    const told = await up.until(({ type }) => type === "error", "an error");
    expect(told).toMatchObject({
      code: "devloop.port",
      summary: "web declares no port that its forward could lead to",
    });
  });

  it("are changed without a new image, and get one when they cannot be", async () => {
    project = new DevProject();
    const inside = project.path("inside");
    const tiltfile = `custom_build('web', 'echo building $EXPECTED_REF', deps=['src'], skips_local_docker=True, live_update=[
  fall_back_on('src/settings.txt'),
  sync('src', '${inside}'),
  run('echo ran in $PWD', trigger='src/a.txt'),
  restart_container(),
])
k8s_yaml('web.json')
`;
    project.write("src/a.txt", "one");
    project.write("src/settings.txt", "one");
    project.write("web.json", deployment("web", { image: "web", run: "echo started; sleep 1000" }));
    project.write("Tiltfile", tiltfile);
    const up = project.start("up", "--allow-processes");
    await up.log("web", "started");
    await up.is("web", "runtime ok");
    const builds = (): number =>
      up.events.filter((event) => event.type === "build" && event.status === "successful").length;
    expect(builds()).toBe(1);

    project.write("src/a.txt", "two");
    const live = await up.component("web", "update ok: LiveUpdated");
    expect(live.update.message).toBe("1 file was put into its containers");
    expect(readFileSync(`${inside}/a.txt`, "utf8")).toBe("two");
    // It was restarted, not replaced.
    await up.log("web", "started");
    expect(builds()).toBe(1);
    expect(up.writes()).toEqual(["created Deployment web"]);

    rmSync(project.path("src/a.txt"));
    await up.component("web", "update ok: LiveUpdated");
    expect(() => readFileSync(`${inside}/a.txt`)).toThrow("ENOENT");

    project.write("src/settings.txt", "two");
    await up.component("web", "update ok: Applied");
    expect(builds()).toBe(2);
    expect(up.writes()).toEqual(["created Deployment web", "configured Deployment web"]);
  });

  it("get all synced files when they begin, if asked for", async () => {
    project = new DevProject();
    const inside = project.path("inside");
    project.write("src/deep/a.txt", "one");
    project.write("web.json", deployment("web", { image: "web", run: "sleep 1000" }));
    project.write(
      "Tiltfile",
      `custom_build('web', 'true', deps=['src'], skips_local_docker=True, live_update=[initial_sync(), sync('src', '${inside}')])
k8s_yaml('web.json')`,
    );
    const up = project.start("up", "--allow-processes");
    await up.log("web", "1 files were put into");
    expect(readFileSync(`${inside}/deep/a.txt`, "utf8")).toBe("one");
  });

  it.each([
    ["name", "container_selector='web'"],
    ["image", "image_selector='example.com/web'"],
  ])("are changed without their deploy command, found by their %s", async (_, selector) => {
    const kubectl = await kubectlPath();
    project = new DevProject();
    const inside = project.path("inside");
    const config = join(defaultDataFolder({ HOME: project.home }), "kubeconfig");
    project.write(
      "Tiltfile",
      `k8s_custom_deploy('custom', apply_cmd='echo deploying >&2; KUBECONFIG="${config}" "${kubectl}" apply -o yaml -f web.json', delete_cmd='true', deps=['src', 'web.json'], ${selector}, live_update=[
  fall_back_on('src/settings.txt'),
  sync('src', '${inside}'),
  run('echo ran', trigger='src/a.txt'),
])
`,
    );
    project.write("src/a.txt", "one");
    project.write("src/settings.txt", "one");
    project.write(
      "web.json",
      deployment("web", { image: "example.com/web:1", run: "echo started; sleep 1000" }),
    );
    const up = project.start("up", "--allow-processes");
    await up.log("custom", "started");
    await up.is("custom", "runtime ok");
    project.write("src/a.txt", "two");
    const live = await up.component("custom", "update ok: LiveUpdated");
    expect(live.update.message).toBe("1 file was put into its containers");
    expect(readFileSync(`${inside}/a.txt`, "utf8")).toBe("two");
    expect(up.events).toContainEqual(expect.objectContaining({ type: "log", message: "ran" }));
    const deploys = (): number =>
      up.events.filter((event) => event.type === "log" && event.message === "deploying").length;
    expect(deploys()).toBe(1);
    project.write("src/settings.txt", "two");
    await up.log("custom", "deploying");
    expect(deploys()).toBe(2);
  });

  it("hold up nobody else when their image cannot be built", async () => {
    project = new DevProject({
      Tiltfile: `custom_build('web', 'sh build.sh', deps=['build.sh'], skips_local_docker=True)
k8s_yaml(['web.json', 'other.json'])`,
      "build.sh": "echo does not compile; exit 1\n",
      "web.json": deployment("web", { image: "web" }),
      "other.json": deployment("other"),
    });
    const up = project.start("up");
    await up.component("other", "runtime ok");
    const failed = await up.is("web", "update error");
    expect(failed.update.message).toBe("web could not be built (exit code 1)");
    expect((await project.run("logs web --tail 1")).stdout).toBe("does not compile\n");
    expect(up.writes()).toEqual(["created Deployment other"]);
    project.write("build.sh", "echo compiles\n");
    await up.component("web", "runtime ok");
  });
});
