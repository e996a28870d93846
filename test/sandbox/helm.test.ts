import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./command-line.ts";

const files: Readonly<Record<string, string>> = {
  "chart/Chart.yaml": "{apiVersion: v2, name: demo, version: 0.1.0}",
  "chart/values.yaml": "{image: 'nginx:1'}",
  "chart/crds/widget.yaml": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
`,
  "chart/templates/all.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-web"}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "{{ .Values.image }}"}]}
---
apiVersion: stable.example.com/v1
kind: Widget
metadata: {name: "{{ .Release.Name }}"}
spec: {size: 2}
`,
  "chart/templates/hook.yaml": `
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-before"
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: ["true"]}]}
`,
};

let terminal: CommandLine;

beforeAll(async () => {
  terminal = await openCommandLine();
  for (const folder of ["chart/crds", "chart/templates"]) {
    await mkdir(join(terminal.folder, folder), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) await terminal.file(name, text);
});

afterAll(async () => {
  await terminal.close();
});

const image =
  "kubectl get deployment demo-web -o jsonpath={.spec.template.spec.containers[0].image}";
const wait = "--wait --timeout 90s";

test("a chart with a definition and a hook is installed, upgraded, rolled back, uninstalled", async () => {
  expect(await terminal.run("helm template demo chart")).toContain('image: "nginx:1"');
  expect(await terminal.run(`helm install demo chart ${wait}`)).toContain("STATUS: deployed");
  expect(await terminal.run("helm list --short")).toBe("demo\n");
  expect(await terminal.run("kubectl get widget demo -o jsonpath={.spec.size}")).toBe("2");
  expect(await terminal.run("kubectl get job demo-before -o jsonpath={.status.succeeded}")).toBe(
    "1",
  );
  expect(await terminal.run(image)).toBe("nginx:1");

  expect(await terminal.run(`helm upgrade demo chart --set image=nginx:2 ${wait}`)).toContain(
    "REVISION: 2",
  );
  expect(await terminal.run(image)).toBe("nginx:2");

  expect(await terminal.run(`helm rollback demo 1 ${wait}`)).toContain("Rollback was a success");
  expect(await terminal.run(image)).toBe("nginx:1");
  expect(await terminal.run("helm history demo")).toContain("Rollback to 1");

  expect(await terminal.run(`helm uninstall demo ${wait}`)).toBe('release "demo" uninstalled\n');
  expect(await terminal.run("kubectl get deployments,widgets")).toBe(
    "No resources found in default namespace.\n",
  );
});
