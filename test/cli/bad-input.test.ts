import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostics/index.ts";
import { runKeelson } from "./run-keelson.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-bad-input-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The codes of what a command line is refused for; no stack trace, nothing on standard output. */
async function codes(
  args: readonly string[],
  options: Parameters<typeof runKeelson>[1] = {},
): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runKeelson(args, { env: { HOME: folder }, ...options });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toMatch(/\n\s+at .*\(/);
  return [...stderr.matchAll(/^error\[([^\]]+)\]/gm)].map((match) => match[1] ?? "");
}

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

describe("bad input is refused with a diagnostic", () => {
  it("a file that is not there", async () => {
    expect(await codes(["check", join(folder, "missing.yaml")])).toEqual(["objects.file-missing"]);
  });

  it("a directory without YAML", async () => {
    mkdirSync(join(folder, "empty"));
    expect(await codes(["check", join(folder, "empty")])).toEqual(["objects.directory-empty"]);
  });

  it("every broken document at once", async () => {
    const path = file("broken.yaml", `a: [\n---\n${configMap("a")}---\n- list\n---\nkind: X\n`);
    expect((await codes(["check", path])).length).toBeGreaterThanOrEqual(3);
  });

  it("the same object twice", async () => {
    const path = file("twice.yaml", `${configMap("a")}---\n${configMap("a")}`);
    expect(await codes(["check", path])).toEqual(["objects.duplicate-object"]);
  });

  it("a YAML bomb, with bounded memory", async () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) =>
        `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? "x" : `*a${level - 1}`)).join(", ")}]`,
    );
    const before = process.memoryUsage().rss;
    const path = file("bomb.yaml", `${configMap("a")}data:\n  x: y\n${levels.join("\n")}\n`);
    expect(await codes(["check", path])).toHaveLength(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it("100 MB, before it is read", async () => {
    const path = file("large.yaml", "");
    truncateSync(path, 100 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    expect(await codes(["check", path])).toEqual(["objects.input-too-large"]);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  it("nothing on standard input", async () => {
    expect(await codes(["check", "-"], { stdin: "" })).toHaveLength(1);
  });

  it("a kubeconfig that is named but missing", async () => {
    expect(await codes(["check", "--kubeconfig", join(folder, "nope")])).toEqual([
      "cluster.kubeconfig-missing",
    ]);
    expect(
      await codes(["check"], { env: { HOME: folder, KUBECONFIG: join(folder, "nope") } }),
    ).toEqual(["cluster.kubeconfig-missing"]);
  });

  it("a broken kubeconfig", async () => {
    const path = file("broken-kubeconfig", "clusters: [");
    const [code] = await codes(["check", "--kubeconfig", path]);
    expect(code).toMatch(/^cluster\.kubeconfig/);
  });

  it("an unknown context, with the nearest name", async () => {
    const path = file(
      "kubeconfig",
      "apiVersion: v1\nkind: Config\ncurrent-context: staging\ncontexts:\n- name: staging\n  context: {cluster: c, user: u}\nclusters:\n- name: c\n  cluster: {server: https://127.0.0.1:1}\nusers:\n- name: u\n  user: {token: t}\n",
    );
    const { stderr } = await runKeelson(["check", "--kubeconfig", path, "--context", "stagin"], {
      env: { HOME: folder },
    });
    expect(stderr).toContain("cluster.unknown-context");
    expect(stderr).toContain("staging");
  });

  it("a cluster that does not answer", async () => {
    expect(
      await codes([
        "check",
        "--kubeconfig",
        file(
          "dead",
          "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n- name: c\n  context: {cluster: c, user: u}\nclusters:\n- name: c\n  cluster: {server: https://127.0.0.1:1}\nusers:\n- name: u\n  user: {token: t}\n",
        ),
      ]),
    ).toEqual(["cluster.unreachable"]);
  }, 60_000);

  it("never shows what a Secret holds", async () => {
    const path = file(
      "secret.yaml",
      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  name: t\nstringData:\n  password: hunter2\n",
    );
    const { stderr } = await runKeelson(["check", path]);
    expect(stderr).toContain("objects.duplicate-key");
    expect(stderr).not.toContain("hunter2");
  });
});

describe("keelson check", () => {
  it("counts what is in order", async () => {
    const path = file("good.yaml", `${configMap("a")}---\n${configMap("b")}`);
    expect(await runKeelson(["check", path])).toEqual({
      code: 0,
      stdout: "✓ 2 objects are in order\n",
      stderr: "",
    });
    expect((await runKeelson(["check", path, "--output", "json"])).stdout).toBe(
      '{"type":"summary","objects":2}\n',
    );
  });

  const map = (fields: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n${fields}\n`;
  const web = (spec: string, container: string, label = "web"): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  ${spec}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: ${label}}}
    spec:
      containers:
      - name: main
        ${container}
`;
  it.each([
    ["a number as data", map("data:\n  x: 1"), "schema.unreadable-object", "5"],
    ["a field of a Deployment", web("replica: 2", "image: a"), "schema.unknown-field", "6"],
    ["a field of a container", web("replicas: 1", "imag: a"), "schema.unknown-field", "13"],
    [
      "a selector that selects nothing",
      web("replicas: 1", "image: a", "api"),
      "schema.invalid-object",
      "9",
    ],
  ])("validates with the bundled schemas: %s", async (...given) => {
    const [, text, code, line] = given;
    const path = file("invalid.yaml", text);
    const env = { HOME: folder };
    const errors = async (args: readonly string[]): Promise<readonly unknown[]> =>
      (await runKeelson([...args, path, "--output", "json"], { env })).stdout
        .split("\n")
        .filter((each) => each.includes('"schema.'))
        .map((each) => {
          const { code: found, severity, summary, source } = JSON.parse(each) as Diagnostic;
          return { code: found, severity, summary, source };
        });
    const found = await errors(["check"]);
    expect(found).toContainEqual(
      expect.objectContaining({
        code,
        severity: "error",
        source: expect.objectContaining({ line: Number(line) }) as unknown,
      }),
    );
    expect(await errors(["check", "--no-execution"])).toEqual(found);
    expect((await runKeelson(["check", path])).code).toBe(1);
  });

  it("validates instances with the definitions of the input", async () => {
    const path = file(
      "instance.yaml",
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, minimum: 1}}}}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: a}
size: 0
`,
    );
    const { code, stderr } = await runKeelson(["check", path]);
    expect(stderr).toContain("schema.invalid-object");
    expect(stderr).toContain("instance.yaml:17:");
    expect(code).toBe(1);
  });

  it("reads standard input", async () => {
    expect((await runKeelson(["check", "-"], { stdin: configMap("a") })).stdout).toBe(
      "✓ 1 object is in order\n",
    );
  });

  it("falls back to the sandbox and says so", async () => {
    const env = { HOME: folder, KEELSON_SANDBOX: "", NO_COLOR: "1" };
    const { code, stdout } = await runKeelson(["check"], { env, terminal: true });
    expect(code).toBe(0);
    expect(stdout).toBe(
      `✓ the sandbox in ${folder}/.local/state/keelson/sandbox (there is no cluster) answers (v1.36.3)\n`,
    );
  });

  it("knows the kinds that the cluster serves", async () => {
    const path = file(
      "unknown.yaml",
      "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\n",
    );
    const { code, stderr } = await runKeelson(["check", "--cluster", path], {
      env: { HOME: folder },
    });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "error[cluster.unknown-kind]: Thing.example.com a: the cluster does not serve example.com/v1 Thing",
    );
  });
});
