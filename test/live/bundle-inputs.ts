import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { readObjectsFromText } from "../../src/objects/index.ts";
import { writeOutput } from "../../src/outputs/index.ts";
import { LiveWorld } from "./live-world.ts";

const definitionsText = readFileSync(
  new URL("../../examples/resource-claims/definitions.yaml", import.meta.url),
  "utf8",
).replaceAll(/smith\.atlassian\.com(?!\/Cr)/g, "inputs.example.com");

/** Bundles that the command line carries out itself, because nobody else does. */
export function bundleInputs(kubeconfig: () => string | undefined, unique: string): void {
  describe("bundles without a controller", () => {
    let world: LiveWorld;
    beforeAll(() => {
      world = new LiveWorld(kubeconfig());
      world.write("keelson.json", JSON.stringify({ project: `bundles-${unique}` }));
    });
    afterAll(() => {
      world.remove();
    });
    const keelson = (line: string): ReturnType<LiveWorld["keelson"]> =>
      world.keelson(line.split(" "));

    const bundle = (colour: string, more = ""): string => `
apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: shop }
spec:
  resources:
  - name: web
    references: [{ name: colour, resource: settings, path: data.colour, example: red }]
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: ${unique}-web, annotations: { colour: "!{colour}", text: "the !{colour} one, !!{colour}" } }
        spec:
          selector: { matchLabels: { app: web } }
          template:
            metadata: { labels: { app: web } }
            spec: { containers: [{ name: web, image: "web:1", envFrom: [{ configMapRef: { name: ${unique}-settings } }] }] }
  - name: settings
    spec:
      object: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${unique}-settings }, data: { colour: ${colour} } }
${more}`;

    it("are planned, applied in order, left alone when nothing changed, and pruned", async () => {
      world.write("bundle.yaml", bundle("red"));
      expect((await keelson("plan bundle.yaml")).stdout).toContain("2 to create");
      expect((await keelson("graph bundle.yaml")).stdout).toContain(
        "needs ConfigMap settings: web refers to settings",
      );
      const applied = await keelson("apply bundle.yaml");
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("2 created")]);
      expect((await keelson("apply bundle.yaml")).stdout).toContain("2 unchanged");
      const web = await world.look((cluster) =>
        cluster.get({ apiVersion: "apps/v1", kind: "Deployment", name: `${unique}-web` }),
      );
      expect(web.metadata.annotations).toMatchObject({
        colour: "red",
        text: "the red one, !{colour}",
      });
      expect(web.metadata.ownerReferences).toBeUndefined();
      world.write("bundle.yaml", bundle("blue"));
      const plan = (await keelson("plan bundle.yaml")).stdout;
      expect(plan).toContain('.data.colour: "red" → "blue"');
      expect(plan).toContain('.metadata.annotations.colour: "red" → (known after apply)');
      expect((await keelson("apply bundle.yaml")).stdout).toContain("2 configured");
      const destroyed = (await keelson("destroy bundle.yaml --yes")).stdout;
      expect(destroyed.indexOf("web deleted")).toBeLessThan(destroyed.indexOf("settings deleted"));
    });

    it("may be written as Smith's first examples are", async () => {
      const early = `
apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: early }
spec:
  resources:
  - name: first
    spec:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: ${unique}-first }
      data: { message: "hello" }
  - name: second
    dependsOn: [first]
    spec:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: ${unique}-second }
      data: "{{first#data}}"
`;
      world.write("early.yaml", early);
      const applied = await keelson("apply early.yaml");
      expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("2 created")]);
      const second = await world.look((cluster) =>
        cluster.get({ apiVersion: "v1", kind: "ConfigMap", name: `${unique}-second` }),
      );
      expect(second["data"]).toEqual({ message: "hello" });
      expect((await keelson("destroy early.yaml --yes")).code).toBe(0);
    });

    it("take what claims hand on, and say when it is not there", async () => {
      world.write("definitions/definitions.yaml", definitionsText);
      expect((await world.live("init {home}/definitions --name inputs")).code).toBe(0);
      const applied = await world.live("apply {home}/definitions");
      expect(applied.code).toBe(0);
      const claims = `
apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: claims }
spec:
  resources:
  - name: claim
    spec:
      object:
        apiVersion: inputs.example.com/v1
        kind: ResourceClaim
        metadata: { name: ${unique}-claim }
        spec: { secretNameMode: ContentsHash }
  - name: user
    references:
      - { name: secret, resource: claim, modifier: output }
      - { name: password, resource: claim, modifier: bindsecret, path: data.password }
    spec:
      object:
        apiVersion: v1
        kind: Secret
        metadata: { name: ${unique}-user, annotations: { from: "!{secret}" } }
        stringData: { copy: "!{password}" }
`;
      world.write("claims.yaml", claims);
      const [definition] = readObjectsFromText("d.yaml", definitionsText).objects;
      // Nobody has fulfilled the claim yet.
      const waited = await keelson("apply claims.yaml --reconcile-timeout 1s");
      expect([waited.code, waited.stdout]).toEqual([
        3,
        expect.stringContaining("waits for a ResourceBinding that belongs to it"),
      ]);
      const secretName = await world.look(async (cluster) => {
        if (definition === undefined) throw new Error("no definition");
        const kind = { apiVersion: "inputs.example.com/v1", kind: "ResourceClaim" };
        const written = await writeOutput({
          cluster,
          claim: await cluster.get({ ...kind, name: `${unique}-claim` }),
          definition: definition.object,
          contents: { kind: "Secret", data: { password: "hidden-one" } },
          manager: "claims",
        });
        return written.kind === "written" ? written.output.metadata.name : written.kind;
      });
      const done = await keelson("apply claims.yaml");
      expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 created")]);
      expect(done.stdout + done.stderr).not.toContain("hidden-one");
      const user = await world.look((cluster) =>
        cluster.get({ apiVersion: "v1", kind: "Secret", name: `${unique}-user` }),
      );
      expect(user.metadata.annotations?.["from"]).toBe(secretName);
      expect((await keelson("apply claims.yaml")).stdout).toContain("2 unchanged");
      world.write("claims.yaml", claims.replace("path: data.password", "path: data.pasword"));
      const failed = await keelson("apply claims.yaml --output json");
      expect(failed.code).toBe(3);
      expect(failed.stdout).toContain('"reason":"bundle.unresolved"');
      expect(failed.stdout).toContain("has no field data.pasword");
      expect((await keelson("destroy claims.yaml --yes")).code).toBe(0);
    });

    it("use plugins by the names of their packages", async () => {
      const plugged = `
apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: plugged }
spec:
  resources:
  - name: base
    spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${unique}-base }, data: { colour: red } } }
  - name: made
    references: [{ name: colour, resource: base, path: data.colour }]
    spec: { plugin: { name: painter, objectName: ${unique}-made, spec: { paint: "!{colour}" } } }
`;
      world.write("plugged.yaml", plugged);
      const missing = await keelson("apply plugged.yaml");
      expect(missing.code).toBe(1);
      expect(missing.stderr).toContain("error[bundle.unknown-plugin]");
      expect(missing.stderr).toContain("npm install painter");
      world.write(
        "node_modules/painter/package.json",
        JSON.stringify({
          name: "painter",
          type: "module",
          keelson: { bundlePlugin: "./plugin.js" },
        }),
      );
      world.write(
        "node_modules/painter/plugin.js",
        `export default {
  describe: () => ({ apiVersion: "v1", kind: "ConfigMap" }),
  process: (spec, { dependencies }) => ({
    data: { paint: spec.paint + " paint", of: dependencies.base?.metadata.name ?? "" },
  }),
};
`,
      );
      const applied = await keelson("apply plugged.yaml");
      expect([applied.stderr, applied.stdout]).toEqual([
        expect.stringContaining(""),
        expect.stringContaining("2 created"),
      ]);
      const made = await world.look((cluster) =>
        cluster.get({ apiVersion: "v1", kind: "ConfigMap", name: `${unique}-made` }),
      );
      expect(made["data"]).toEqual({ paint: "red paint", of: `${unique}-base` });
      expect((await keelson("destroy plugged.yaml --yes")).code).toBe(0);
    });

    it("are checked with the examples of their references, and written only when all is right", async () => {
      world.write(
        "wrong.yaml",
        bundle("red").replace("selector: {", 'replicas: "!{colour}"\n          selector: {'),
      );
      for (const command of ["check", "plan", "apply"]) {
        const { code, stderr } = await keelson(`${command} wrong.yaml`);
        expect(code).toBe(1);
        expect(stderr).toContain("error[bundle.invalid-example]");
      }
    });
  });
}
