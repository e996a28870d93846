/** What a plan refuses for reasons that stand in the input, `check` refuses without a cluster, in the same words. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runKeelson } from "./run-keelson.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-check-"));
  await writeFile(join(folder, "keelson.json"), JSON.stringify({ project: "shop" }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const dependsOn = "config.kubernetes.io/depends-on";
const mutation = "config.kubernetes.io/apply-time-mutation";

function map(name: string, annotations: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations }, data: {} };
}

function needs(name: string): Readonly<Record<string, string>> {
  return { [dependsOn]: `/namespaces/default/ConfigMap/${name}` };
}

function bundle(...resources: readonly object[]): object {
  return {
    apiVersion: "smith.atlassian.com/v1",
    kind: "Bundle",
    metadata: { name: "shop" },
    spec: { resources },
  };
}

function resource(name: string, data: object, references: readonly object[] = []): object {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
  return { name, spec: { object }, references };
}

const inputs: Readonly<Record<string, string>> = {
  "a circle of depends-on": yaml(map("a", needs("b")), map("b", needs("a"))),
  "what depends on itself": yaml(map("a", needs("a"))),
  "a depends-on that names nothing": yaml(map("a", { [dependsOn]: "ConfigMap/b" })),
  "a depends-on without its namespace": yaml(map("a", { [dependsOn]: "/ConfigMap/b" }), map("b")),
  "a mutation that is no YAML": yaml(map("a", { [mutation]: "- {" })),
  "a mutation without a source": yaml(map("a", { [mutation]: "- targetPath: $.data.x\n" })),
  "a circle of mutations": yaml(
    map("a", { [mutation]: takes("b") }),
    map("b", { [mutation]: takes("a") }),
  ),
  "a name that the server makes up": yaml({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { generateName: "a-" },
  }),
  "a rule of readiness that is none": yaml(map("a", { "keelson.dev/ready-when": "1 +" })),
  "an object twice": yaml(map("a"), map("a")),
  "a bundle that refers to nothing": yaml(
    bundle(resource("a", { x: "!{y}" }, [{ name: "y", resource: "gone", path: "data.x" }])),
  ),
  "a bundle whose resources wait in a circle": yaml(
    bundle(
      resource("a", { x: "!{y}" }, [{ name: "y", resource: "b", path: "data.x" }]),
      resource("b", { x: "!{y}" }, [{ name: "y", resource: "a", path: "data.x" }]),
    ),
  ),
  "a bundle that uses a reference which it does not have": yaml(
    bundle(resource("a", { x: "!{y}" })),
  ),
  "a bundle with an object that is none": yaml(bundle(resource("a", { x: 1 }))),
  "a secret that is no base64": yaml({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "a" },
    data: { x: "!" },
  }),
  "a label that is none": yaml({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: { x: "a b" } },
  }),
};

function takes(name: string): string {
  const sourceRef = { kind: "ConfigMap", name, namespace: "default" };
  return JSON.stringify([{ sourceRef, sourcePath: "$.data.x", targetPath: "$.data.x" }]);
}

function yaml(...objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join("\n---\n");
}

it.each(Object.keys(inputs))("%s", async (name) => {
  await writeFile(join(folder, "all.yaml"), inputs[name] ?? "");
  const [checked, inspected, planned] = [
    await found(["check", "all.yaml"]),
    await found(["check", "--no-execution", "all.yaml"]),
    await found(["plan", "all.yaml"]),
  ];
  expect(planned).not.toEqual([]);
  expect(checked).toEqual(planned);
  // Bundles become objects only when they are carried out.
  if (!name.includes("bundle")) expect(inspected).toEqual(planned);
});

it.each([
  ["components that wait in a circle", tiltfile()],
  [
    "a program whose object is none",
    program("new k8s.ConfigMap('a', { metadata: { name: 'A_' } });"),
  ],
])("%s", async (_name, { file, text }) => {
  await writeFile(join(folder, file), text);
  await writeFile(join(folder, "a.yaml"), yaml(map("a"), map("b")));
  const planned = await found(["plan", file]);
  expect(planned).not.toEqual([]);
  expect(await found(["check", file])).toEqual(planned);
});

function tiltfile(): { file: string; text: string } {
  const text = [
    "k8s_yaml('a.yaml')",
    "k8s_resource(new_name='x', objects=['a:configmap'], resource_deps=['y'])",
    "k8s_resource(new_name='y', objects=['b:configmap'], resource_deps=['x'])",
  ];
  return { file: "Tiltfile", text: text.join("\n") };
}

function program(body: string): { file: string; text: string } {
  return { file: "main.ts", text: `import { k8s } from "keelson";\n${body}\n` };
}

it("tells what is doubtful of a Tiltfile, as assemble does", async () => {
  await writeFile(join(folder, "a.yaml"), yaml(map("a")));
  await writeFile(
    join(folder, "Tiltfile"),
    "k8s_yaml('a.yaml')\nk8s_resource(new_name='x', objects=['a'], resource_deps=['gone'])\n",
  );
  const ran = await runKeelson(["check", "Tiltfile"], {
    env: { HOME: folder },
    workingDirectory: folder,
  });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("warning[assembly.unknown-dependency]");
});

it("what a plan takes is in order: references to what the cluster may have", async () => {
  const elsewhere = map("a", { ...needs("there"), [mutation]: takes("there") });
  await writeFile(join(folder, "all.yaml"), yaml(elsewhere, map("b", needs("a"))));
  expect(await found(["check", "all.yaml"])).toEqual([]);
});

/** What a command says, as code, words and line. */
async function found(args: readonly string[]): Promise<readonly string[]> {
  const ran = await runKeelson([...args, "--output", "json"], {
    env: { HOME: folder },
    workingDirectory: folder,
  });
  return `${ran.stdout}${ran.stderr}`
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Said)
    .filter(({ severity }) => severity === "error")
    .map(({ code, summary, source }) => `${code} ${summary} ${source?.start?.line ?? ""}`)
    .toSorted();
}

interface Said {
  readonly severity?: string;
  readonly code?: string;
  readonly summary?: string;
  readonly source?: { readonly start?: { readonly line?: number } };
}
