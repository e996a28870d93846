import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runKeelson } from "./run-keelson.ts";

const input = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: c
        image: registry.example.com/web:1
        envFrom: [{secretRef: {name: password}}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {selector: {app: web}}
---
apiVersion: v1
kind: Secret
metadata: {name: password}
stringData: {password: hunter2hunter2}
---
apiVersion: v1
kind: Pod
metadata: {name: "a:b", namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:view"}
`;

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "keelson-assemble-"));
  await mkdir(join(directory, "objects"));
  await writeFile(join(directory, "objects", "all.yaml"), input);
  await mkdir(join(directory, "tilt"));
  await writeFile(join(directory, "tilt", "Tiltfile"), "");
  await writeFile(join(directory, "dev.tiltfile"), "");
  await writeFile(join(directory, "objects", "Tiltfile"), "");
});
afterAll(() => rm(directory, { recursive: true }));

describe("keelson assemble", () => {
  it("prints each component with what goes with it", async () => {
    const { code, stdout, stderr } = await runKeelson(["assemble", "-"], { stdin: input });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "uncategorized  what goes with no single workload; applied first
        Namespace    shop
        ClusterRole  system:view

      web
        Deployment  web
        Service     web
        Secret      password
        image       registry.example.com/web:1

      a\\:b
        Pod  shop/a:b

      3 components, 2 workloads, 6 objects
      "
    `);
  });

  it("prints JSON with full identifiers and no values", async () => {
    const { code, stdout } = await runKeelson(["assemble", "-", "-n", "dev", "--output", "json"], {
      stdin: input.replace("namespace: default", "namespace: dev"),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
      {
        "components": [
          {
            "autoInit": true,
            "dependsOn": [],
            "discoveryStrategy": "default",
            "extraPodSelectors": [],
            "images": [],
            "kind": "uncategorized",
            "labels": [],
            "links": [],
            "name": "uncategorized",
            "objects": [
              "shop:namespace::core",
              "system\\:view:clusterrole::rbac.authorization.k8s.io",
            ],
            "podReadiness": "ignore",
            "portForwards": [],
          },
          {
            "autoInit": true,
            "dependsOn": [],
            "discoveryStrategy": "default",
            "extraPodSelectors": [],
            "images": [
              {
                "object": "web:deployment:dev:apps",
                "path": [
                  "spec",
                  "template",
                  "spec",
                  "containers",
                  0,
                  "image",
                ],
                "reference": "registry.example.com/web:1",
              },
            ],
            "kind": "workload",
            "labels": [],
            "links": [],
            "name": "web",
            "objects": [
              "web:deployment:dev:apps",
              "web:service:dev:core",
              "password:secret:dev:core",
            ],
            "podReadiness": "wait",
            "portForwards": [],
            "workload": "web:deployment:dev:apps",
          },
          {
            "autoInit": true,
            "dependsOn": [],
            "discoveryStrategy": "default",
            "extraPodSelectors": [],
            "images": [],
            "kind": "workload",
            "labels": [],
            "links": [],
            "name": "a\\:b",
            "objects": [
              "a\\:b:pod:shop:core",
            ],
            "podReadiness": "wait",
            "portForwards": [],
            "workload": "a\\:b:pod:shop:core",
          },
        ],
        "diagnostics": [],
      }
    `);
  });

  it("reads the working directory unless something else is named", async () => {
    const workingDirectory = join(directory, "objects");
    const named = await runKeelson(["assemble", workingDirectory]);
    const unnamed = await runKeelson(["assemble"], { workingDirectory });
    expect(named.code).toBe(0);
    expect(unnamed).toEqual(named);
  });

  it.each<readonly [output: string, expected: RegExp]>([
    ["mermaid", /^flowchart RL\n {2}subgraph g0\["uncategorized"\]/],
    ["dot", /^digraph keelson \{/],
    ["svg", /<svg [\s\S]*Deployment web[\s\S]*<\/svg>/],
  ])("draws %s", async (output, expected) => {
    const { code, stdout } = await runKeelson(["assemble", "-", "-o", output], { stdin: input });
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  const twice = `${input}---\n${input}`;

  it("says what is wrong, and shows no secret", async () => {
    const { code, stdout, stderr } = await runKeelson(["assemble", "-"], { stdin: twice });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(
      "error[objects.duplicate-object]: password:secret:default:core occurs twice in the input",
    );
    expect(stderr).not.toContain("hunter2");
  });

  it("says what is wrong as JSON, in the same document", async () => {
    const { code, stdout } = await runKeelson(["assemble", "-", "-o", "json"], { stdin: twice });
    expect(code).toBe(1);
    expect(stdout).not.toContain("hunter2");
    const found = JSON.parse(stdout) as {
      readonly diagnostics: readonly { readonly code: string }[];
    };
    expect(found.diagnostics.map((each) => each.code)).toEqual(
      Array.from({ length: 6 }, () => "objects.duplicate-object"),
    );
  });

  it("gives JSON also for input that cannot be read", async () => {
    const { code, stdout } = await runKeelson(["assemble", "-", "-o", "json"], { stdin: "a: [" });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      components: [],
      diagnostics: [{ code: "objects.yaml-syntax" }],
    });
  });

  it.each(["tilt", "tilt/Tiltfile", "dev.tiltfile"])("knows %s for a Tiltfile", async (path) => {
    const { code, stdout } = await runKeelson(["assemble", join(directory, path)]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "0 components, 0 workloads, 0 objects\n" });
  });

  it("takes a Tiltfile alone", async () => {
    const inputs = [join(directory, "dev.tiltfile"), join(directory, "tilt")];
    const { code, stderr } = await runKeelson(["assemble", ...inputs]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[cli.several-sources]");
  });

  it("takes an empty input for a fault, and no workload for none", async () => {
    expect((await runKeelson(["assemble", "-"], { stdin: "" })).stderr).toContain(
      "objects.input-empty",
    );
    const onlyNamespace = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}";
    expect((await runKeelson(["assemble", "-"], { stdin: onlyNamespace })).stdout).toBe(
      [
        "uncategorized  what goes with no single workload; applied first",
        "  Namespace  shop",
        "",
        "1 component, 0 workloads, 1 object",
        "",
      ].join("\n"),
    );
  });
});

describe("a Tiltfile as JSON", () => {
  it("has everything that it says: builds, live updates, commands, settings", async () => {
    const folder = join(directory, "as-json");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "Dockerfile"), "FROM scratch\n");
    await writeFile(
      join(folder, "Tiltfile"),
      `docker_build('web', '.', build_args={'A': '1'}, target='x',
  live_update=[sync('src', '/app'), run('make', trigger=['src/a.c']), restart_container()])
local_resource('gen', cmd='echo hi', serve_cmd=['sleep', '1'], deps=['src'], env={'X': '1'})
k8s_custom_deploy('db', apply_cmd='make db', delete_cmd='make gone', deps=['src'])
ci_settings(timeout='5m')
`,
    );
    const env = { HOME: folder, PATH: process.env["PATH"] ?? "" };
    const ran = await runKeelson(["assemble", "Tiltfile", "-o", "json"], {
      env,
      workingDirectory: folder,
    });
    const shell = (line: string) => ["sh", "-c", line];
    expect(JSON.parse(ran.stdout)).toMatchObject({
      // Whatever a command deploys may have pods.
      components: [
        { name: "gen", podReadiness: "ignore" },
        { name: "db", podReadiness: "wait" },
      ],
      builds: [
        {
          kind: "docker",
          reference: "web",
          context: folder,
          buildArgs: { A: "1" },
          target: "x",
          liveUpdate: [{ kind: "sync" }, { kind: "run" }, { kind: "restart-container" }],
          source: { line: 1 },
        },
      ],
      localResources: [
        {
          name: "gen",
          update: { command: shell("echo hi"), directory: folder },
          serve: { command: ["sleep", "1"] },
          dependencies: [join(folder, "src")],
          source: { line: 3 },
        },
      ],
      customDeploys: [{ name: "db", apply: { command: shell("make db") } }],
      settings: { ci: { timeoutMs: 300_000 } },
    });
  });
});

describe("the context of the kubeconfig", () => {
  it.each(["assemble", "graph", "check"])("is what a Tiltfile is told by %s", async (command) => {
    const folder = join(directory, "with-context");
    await mkdir(folder, { recursive: true });
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(
      kubeconfig,
      `apiVersion: v1
kind: Config
current-context: kind-dev
contexts: [{name: kind-dev, context: {cluster: c, user: u, namespace: dev}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
`,
    );
    const map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
    await writeFile(
      join(folder, "Tiltfile"),
      `print("told", k8s_context(), k8s_namespace())
k8s_yaml(blob("""${map}"""))
k8s_resource(new_name="maps", objects=["a:configmap:dev"])
`,
    );
    const env = { KUBECONFIG: kubeconfig, HOME: folder, PATH: process.env["PATH"] ?? "" };
    const ran = await runKeelson([command, "Tiltfile"], { env, workingDirectory: folder });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("told kind-dev dev")]);

    // What is wrong with it does not matter to commands that ask no cluster.
    await writeFile(kubeconfig, "contexts: 7");
    const broken = await runKeelson([command, "Tiltfile", "--namespace", "dev"], {
      env,
      workingDirectory: folder,
    });
    expect([broken.code, broken.stderr]).toEqual([0, expect.stringContaining("told  dev")]);
  });
});
