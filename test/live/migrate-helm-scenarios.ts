/** `live migrate --from-helm` with releases that real helm installed. */
import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandLine, openCommandLine } from "../sandbox/command-line.ts";
import type { Ran } from "../cli/run-keelson.ts";
import { group, LiveWorld } from "./live-world.ts";

const chartFiles = (unique: string): Readonly<Record<string, string>> => ({
  "chart/Chart.yaml": "{apiVersion: v2, name: demo, version: 0.1.0}",
  "chart/values.yaml": "{replicas: 1, old: true}",
  "chart/crds/widget.yaml": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${unique}.example.com}
spec:
  group: ${unique}.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
  "chart/templates/web.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-web"}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Release.Name }}"}}
    spec: {containers: [{name: c, image: nginx}]}
---
apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}-web"}
spec: {selector: {app: "{{ .Release.Name }}"}, ports: [{port: 80}]}
{{- if .Values.old }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-old"}
data: {a: b}
{{- end }}
`,
  "chart/templates/hooks.yaml": `
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-migrate"
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-gone"
  annotations: {helm.sh/hook: "post-install,post-upgrade", helm.sh/hook-delete-policy: hook-succeeded}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`,
});

/** Runs in a namespace of its own, of the cluster of a kubeconfig, or of a sandbox where there is none. */
export function migrateHelmScenarios(kubeconfig: () => string | undefined, unique: string): void {
  const namespace = `helm-${unique}`;
  let terminal: CommandLine;
  let world: LiveWorld;

  beforeAll(async () => {
    const given = kubeconfig();
    terminal = await openCommandLine(given === undefined ? {} : { kubeconfig: given });
    for (const folder of ["chart/crds", "chart/templates"])
      await mkdir(join(terminal.folder, folder), { recursive: true });
    for (const [name, text] of Object.entries(chartFiles(unique))) await terminal.file(name, text);
    await terminal.run(`kubectl create namespace ${namespace}`);
    await terminal.run(`kubectl config set-context --current --namespace ${namespace}`);
    world = new LiveWorld(join(terminal.folder, "kubeconfig"));
  });

  afterAll(async () => {
    await terminal.run(`kubectl delete crd widgets.${unique}.example.com`);
    await terminal.run(`kubectl delete namespace ${namespace} --wait=false`);
    await terminal.close();
    world.remove();
  });

  /** Runs `keelson live`, and gives what it prints with the namespace as NS. */
  async function live(line: string): Promise<Ran> {
    const { stdout, stderr, code } = await world.live(line);
    const hide = (text: string): string => text.replaceAll(namespace, "NS");
    return { stdout: hide(stdout), stderr: hide(stderr), code };
  }

  /** Makes a package of what helm renders. */
  async function writePackage(name: string, ...flags: readonly string[]): Promise<void> {
    const rendered = await terminal.run(["helm template", name, "chart", ...flags].join(" "));
    world.write(`${name}/all.yaml`, rendered);
    world.write(`${name}/resourcegroup.yaml`, group(name, undefined, namespace));
  }

  const install = (name: string): Promise<string> =>
    terminal.run(`helm install ${name} chart --wait --timeout 90s`);

  const deployment = (name: string): Promise<string> =>
    terminal.run(`kubectl get deployment ${name}-web -o jsonpath={.metadata.uid}/{.spec}`);

  describe("a Helm release", () => {
    it("becomes the inventory of a package, and its objects stay as they are", async () => {
      await install("shop");
      await terminal.run("helm upgrade shop chart --wait --timeout 90s --set replicas=2");
      await writePackage("shop", "--include-crds", "--set replicas=2");
      const before = await deployment("shop");

      expect((await live("migrate --from-helm shop shop --dry-run")).stdout).toBe(
        "would adopt 5 objects of the Helm release shop into the inventory NS/shop, and delete 2 release Secrets\n",
      );
      expect(await terminal.run("helm list --short --filter '^shop$'")).toBe("shop\n");

      expect((await live("migrate --from-helm shop shop")).stdout).toBe(
        "✓ the inventory NS/shop has 5 objects of the Helm release shop; 2 release Secrets deleted\n",
      );
      expect(await terminal.run("helm list --short --filter '^shop$'")).toBe("");
      expect(await terminal.run("kubectl get secrets -l owner=helm,name=shop")).toContain(
        "No resources found",
      );
      expect((await live("plan shop")).stdout).toBe("6 unchanged\n");
      expect((await live("status shop")).stdout).not.toContain("NotFound");
      expect(await deployment("shop")).toBe(before);

      // Helm owns none of the fields any more: a change is no conflict, and what is left out goes.
      await writePackage("shop", "--include-crds", "--set replicas=3,old=false");
      const applied = await live("apply shop --reconcile-timeout 90s");
      expect(applied).toMatchObject({ code: 0 });
      expect(await deployment("shop")).toContain('"replicas":3');
      expect(await terminal.run("kubectl get configmap shop-old")).toContain("NotFound");
    });

    it("gives what the package does not hold to the next prune, and says so", async () => {
      await install("part");
      await writePackage("part", "--set old=false");
      const { stdout } = await live("migrate --from-helm part part");
      expect(stdout).toContain(
        "- ConfigMap NS/part-old is not in the package: the next apply prunes it\n",
      );
      // Something of the chart changes, so its hooks run.
      expect((await live("plan part")).stdout).toBe(
        "± Job.batch NS/part-migrate replaced because of the hook pre-upgrade, the old one goes first\n+ Job.batch NS/part-gone\n- ConfigMap NS/part-old\n1 to create, 1 to update, 1 to prune, 2 unchanged\n",
      );
    });

    it("is found in ConfigMaps, too", async () => {
      const helm = (line: string): Promise<string> =>
        terminal.run(`helm ${line}`, { env: { HELM_DRIVER: "configmap" } });
      await helm("install mapped chart --wait --timeout 90s");
      await helm("upgrade mapped chart --wait --timeout 90s --set replicas=2");
      await writePackage("mapped", "--set replicas=2");
      const before = await deployment("mapped");
      expect((await live("migrate --from-helm mapped mapped")).stdout).toBe(
        "✓ the inventory NS/mapped has 4 objects of the Helm release mapped; 2 release ConfigMaps deleted\n",
      );
      expect(await helm("list --short --filter '^mapped$'")).toBe("");
      expect((await live("plan mapped")).stdout).toBe("5 unchanged\n");
      expect(await deployment("mapped")).toBe(before);
    });

    it("is migrated by a second run when the first one was killed in between", async () => {
      await install("twice");
      await writePackage("twice");
      const secret = await terminal.run("kubectl get secret sh.helm.release.v1.twice.v1 -o json");
      const before = await deployment("twice");
      await live("migrate --from-helm twice twice");
      // As if the Secrets had not been deleted yet.
      await terminal.run("kubectl create -f -", { input: secret });
      expect((await live("migrate --from-helm twice twice")).code).toBe(0);
      expect(await terminal.run("helm list --short")).not.toContain("twice");
      expect((await live("plan twice")).stdout).toBe("5 unchanged\n");
      expect(await deployment("twice")).toBe(before);
    });
  });

  describe("a release is refused", () => {
    const refused = async (name: string): Promise<string> => {
      world.write(`${name}/resourcegroup.yaml`, group(name, undefined, namespace));
      const { stderr, code } = await live(`migrate --from-helm ${name} ${name}`);
      expect(code).not.toBe(0);
      return stderr.replace(/^using .*\n/, "");
    };

    it("that is not there", async () => {
      expect(await refused("nobody")).toMatchInlineSnapshot(`
      "error[live.release-missing]: there is no Helm release nobody in the namespace NS
        hint: \`helm list --all-namespaces\` shows releases; name the namespace with --namespace.
      "
    `);
    });

    it("that Helm is not done with", async () => {
      await install("busy");
      await terminal.run(
        "kubectl label secret sh.helm.release.v1.busy.v1 status=pending-upgrade --overwrite",
      );
      expect(await refused("busy")).toMatchInlineSnapshot(`
      "error[live.release-not-deployed]: the Helm release busy is not deployed: revision 1 is pending-upgrade
        hint: Let Helm end it first; \`helm history busy --namespace NS\` shows what it did.
      "
    `);
    });

    it("that cannot be read", async () => {
      await terminal.run("kubectl apply -f -", {
        input:
          "{apiVersion: v1, kind: Secret, type: helm.sh/release.v1, metadata: {name: sh.helm.release.v1.odd.v1, labels: {owner: helm, name: odd, status: deployed, version: '1'}}, stringData: {release: nonsense}}",
      });
      expect(await refused("odd")).toMatchInlineSnapshot(`
      "error[live.release-unreadable]: the Secret sh.helm.release.v1.odd.v1 does not hold a Helm release
        hint: If \`helm status\` cannot read it either, restore the Secret or delete it.
      "
    `);
    });

    it("of which another inventory has an object", async () => {
      await install("taken");
      await terminal.run("kubectl annotate service taken-web config.k8s.io/owning-inventory=other");
      await writePackage("taken");
      expect(await refused("taken")).toMatchInlineSnapshot(`
      "error[live.not-adopted]: Service NS/taken-web of the release belongs to the inventory other already
        hint: Remove it from the package of that inventory first, with an annotation that keeps it: cli-utils.sigs.k8s.io/on-remove: keep.
      "
    `);
      expect(await terminal.run("helm list --short")).toContain("taken");
    });
  });
}
