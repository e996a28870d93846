/** Charts that are somewhere else: in a repository and in a registry on loopback, for Tiltfiles and programs. */
import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChartServer, serveCharts } from "../cluster/chart-server.ts";
import { helmPath } from "../cluster/kubectl.ts";
import { LiveWorld } from "../live/live-world.ts";
import { runTiltfile } from "./run-tiltfile.ts";

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-shop"}
data: {version: "{{ .Chart.Version }}", color: "{{ .Values.color }}", size: "{{ .Values.size }}"}
`;

const world = new LiveWorld();
let server: ChartServer;
let programs: { readonly helm: string };

beforeAll(async () => {
  const helm = await helmPath();
  programs = { helm };
  const run = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)(helm, args, { cwd: world.home, env: { HOME: world.home } });
  world.write("chart/values.yaml", "color: none\nsize: 1\n");
  world.write("chart/templates/map.yaml", template);
  world.write("charts/.keep", "");
  server = await serveCharts(join(world.home, "charts"));
  for (const version of ["1.0.0", "1.1.0"]) {
    world.write("chart/Chart.yaml", `apiVersion: v2\nname: shop\nversion: ${version}\n`);
    await run("package", "chart", "-d", "charts");
    await run("push", `charts/shop-${version}.tgz`, `oci://${server.host}/team`, "--plain-http");
  }
  await run("repo", "index", "charts");
  world.write("bin/.keep", "");
  symlinkSync(helm, join(world.home, "bin/helm"));
});

afterAll(async () => {
  await server.close();
  world.remove();
});

/** The data of the ConfigMap that an expression of a Tiltfile renders. */
function rendered(call: string): readonly string[] {
  const text = `for o in decode_yaml_stream(${call.replaceAll("HOST", server.host)}):\n  print(o['metadata']['name'], o['data']['version'], o['data']['color'], o['data']['size'])\n`;
  const { said } = runTiltfile(text, { "dev.yaml": "color: red\nsize: 2\n" }, { programs });
  return said.map((line) => line.replaceAll(server.host, "HOST"));
}

describe("helm in a Tiltfile", () => {
  it.each([
    ["helm('shop', repo='http://HOST/charts')", "chart-shop 1.1.0 none 1"],
    ["helm('team/shop', repo='http://HOST/charts', version='1.0.0')", "chart-shop 1.0.0 none 1"],
    ["helm('oci://HOST/team/shop', version='~1.0', plain_http=True)", "chart-shop 1.0.0 none 1"],
    ["helm('http://HOST/charts/shop-1.0.0.tgz', name='live')", "live-shop 1.0.0 none 1"],
    [
      "helm('shop', repo='http://HOST/charts', values={'color': 'blue', 'size': 3})",
      "chart-shop 1.1.0 blue 3",
    ],
    [
      "helm('shop', repo='http://HOST/charts', values=['dev.yaml', {'color': 'blue'}])",
      "chart-shop 1.1.0 blue 2",
    ],
    [
      "helm('shop', repo='http://HOST/charts', values=[{'color': 'blue'}, 'dev.yaml'], set=['size=9'])",
      "chart-shop 1.1.0 red 9",
    ],
  ])("%s", (call, expected) => {
    expect(rendered(call)).toEqual([expected]);
  });

  it.each([
    [
      "helm('team/shop')",
      "hydrate.input at Tiltfile:1:33: the chart /folder/team/shop does not exist",
    ],
    [
      "helm('.', version='1.0.0')",
      "hydrate.input at Tiltfile:1:33: /folder is no chart: it is no directory with a Chart.yaml",
    ],
    [
      "helm('oci://HOST/team/shop', repo='http://HOST/charts')",
      "hydrate.input at Tiltfile:1:33: the chart oci://HOST/team/shop has a place of its own, and a repository is given too",
    ],
    [
      "helm('shop', repo='http://HOST/charts', values=[{}, {}])",
      "hydrate.input at Tiltfile:1:33: values are given as data 2 times",
    ],
  ])("%s is an error", (call, expected) => {
    expect(rendered(call)).toEqual([expected]);
  });

  it("says how to name a repository, and shows what helm says of a missing version", () => {
    const missing = runTiltfile("helm('team/shop')", {}, { programs });
    expect(missing.result.diagnostics[0]?.hint).toBe(
      "If it is in a repository, give the address of that as repo.",
    );
    const call = `helm('shop', repo='http://${server.host}/charts', version='7.0.0')`;
    const { result } = runTiltfile(call, {}, { programs });
    expect(result.diagnostics[0]).toMatchObject({ code: "hydrate.command-failed" });
    expect(result.diagnostics[0]?.detail).toContain("7.0.0");
  });
});

describe("helm in a program", () => {
  const plan = async (program: string): Promise<string> => {
    world.write("app/keelson.json", '{"project": "charts"}');
    world.write("app/main.ts", program);
    const before = process.env["PATH"];
    process.env["PATH"] = `${join(world.home, "bin")}:${before ?? ""}`;
    try {
      const { stdout, stderr } = await world.keelson(["plan", "app"]);
      return stdout + stderr.replace(/^using .*\n/, "");
    } finally {
      process.env["PATH"] = before;
    }
  };

  it("takes charts of repositories and registries, with values as data", async () => {
    const program = `import { helm } from "keelson";
const values = { color: "blue", size: 3 };
helm("shop", { repo: "http://${server.host}/charts", name: "one", values });
helm("oci://${server.host}/team/shop", { version: "1.0.0", name: "two", namespace: "kube-public", values: [values], plainHttp: true });
`;
    expect(await plan(program)).toBe(
      "+ ConfigMap default/one-shop\n+ ConfigMap kube-public/two-shop\n2 to create\n",
    );
  });

  it("refuses values that are known only after an apply", async () => {
    const program = `import { helm, k8s } from "keelson";
const map = new k8s.ConfigMap("first", { data: {} });
helm("shop", { repo: "http://${server.host}/charts", values: { color: map.metadata.uid } });
`;
    const said = await plan(program);
    expect(said).toContain("error[program.provisioned-decision]");
    expect(said).toContain("main.ts:3");
  });
});
