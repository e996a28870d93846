import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { LiveWorld } from "./live-world.ts";

/** Programs as the source of plans and applies; on the sandbox and on any cluster. */
export function programScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
    world.write("app/keelson.json", JSON.stringify({ project: `prog-${unique}` }));
  });
  afterEach(async () => {
    await keelson("destroy");
    world.remove();
  });
  const name = (base: string): string => `${base}-${unique}`;
  const keelson = async (line: string): Promise<string> => {
    const words = line.split(" ");
    const isAbout = ["rename", "import", "logs", "stats"].includes(words[0] ?? "");
    const { stdout, stderr } = await world.keelson(
      isAbout ? [...words, "--source", "app"] : [words[0] ?? "", "app", ...words.slice(1)],
    );
    return [stdout, stderr.replaceAll(/^using .*\n/gm, "")].join("").replaceAll(`-${unique}`, "-U");
  };
  const program = (text: string): void => {
    world.write("app/main.ts", `import { k8s, output, Resource, when } from "keelson";\n${text}`);
  };
  const find = (kind: string, objectName: string): Promise<KubernetesObject | undefined> =>
    world.look((cluster) =>
      cluster.find({ apiVersion: "v1", kind, namespace: "default", name: objectName }),
    );
  const map = (id: string, data: string, options = ""): string =>
    `new k8s.ConfigMap("${id}", { metadata: { name: "${name(id)}" }, data: ${data} }${options});\n`;

  describe("a program", () => {
    it("creates, fills in what only the cluster knows, and then changes nothing", async () => {
      program(
        `const service = new k8s.Service("api", { metadata: { name: "${name("api")}" }, spec: { selector: { app: "x" }, ports: [{ port: 80 }] } });\n` +
          `const a = ${map("a", "{ color: 'blue' }")}` +
          map(
            "info",
            "{ url: `http://${service.spec.clusterIP}/`, uid: output(a.metadata.uid).map((uid) => uid.length + ' characters') }",
          ),
      );
      expect(await keelson("plan")).toBe(
        "+ Service default/api-U\n+ ConfigMap default/a-U\n+ ConfigMap default/info-U\n3 to create\n",
      );
      expect(await keelson("apply")).toContain("3 created");
      const service = await find("Service", name("api"));
      const { clusterIP } = (service?.["spec"] ?? {}) as { clusterIP?: string };
      expect((await find("ConfigMap", name("info")))?.["data"]).toEqual({
        url: `http://${clusterIP}/`,
        uid: "36 characters",
      });
      expect(await keelson("plan")).toBe("3 unchanged\n");
      expect(await keelson("names")).toMatch(
        /dev:prog-U:main:keelson:k8s\/ConfigMap#info +[-0-9a-f]{36} +ConfigMap default\/info-U/,
      );
    });

    it("updates what changed, prunes what left, in both directions of edges", async () => {
      program(map("a", "{ v: '1' }") + map("b", "{ v: '1' }"));
      await keelson("apply");
      program(map("a", "{ v: '2' }"));
      expect(await keelson("plan")).toBe(
        '~ ConfigMap default/a-U\n      .data.v: "1" → "2"\n- ConfigMap default/b-U\n1 to update, 1 to prune\n',
      );
      expect(await keelson("apply")).toContain("1 configured, 1 pruned");
    });

    it("protects, retains and ignores what it is told to", async () => {
      program(
        map("p", "{ v: '1' }", "").replace("});", "}, { protect: true });") +
          map("r", "{ v: '1' }").replace("});", "}, { deletionPolicy: 'retain' });") +
          map("i", "{ v: '1' }").replace("});", "}, { ignoreChanges: ['data.v'] });"),
      );
      await keelson("apply");
      program(map("i", "{ v: '2' }").replace("});", "}, { ignoreChanges: ['data.v'] });"));
      const planned = await keelson("plan");
      expect(planned).toContain("= ConfigMap default/p-U skipped: it is protected");
      expect(planned).toContain("= ConfigMap default/r-U keep");
      expect(planned).toContain("1 unchanged");
      await keelson("apply");
      expect(await find("ConfigMap", name("p"))).toBeDefined();
      expect(await find("ConfigMap", name("r"))).toBeDefined();
      expect((await find("ConfigMap", name("i")))?.["data"]).toEqual({ v: "1" });
      program(map("p", "{ v: '1' }"));
      await keelson("apply");
      await world.look((cluster) =>
        cluster.delete({
          apiVersion: "v1",
          kind: "ConfigMap",
          namespace: "default",
          name: name("r"),
        }),
      );
    });

    it("ignores what it is told to also where another value is only known after apply", async () => {
      const ignoring = (v: string): string =>
        `const s = ${map("s", `{ v: '${v}' }`)}` +
        map("i", `{ v: '${v}', from: output(s.metadata.resourceVersion).map(() => "s") }`).replace(
          "});",
          "}, { ignoreChanges: ['data.v'] });",
        );
      program(ignoring("1"));
      await keelson("apply");
      program(ignoring("2"));
      expect(await keelson("plan")).toContain('.data.from: "s" → (known after apply)');
      await keelson("apply");
      expect((await find("ConfigMap", name("i")))?.["data"]).toEqual({ v: "1", from: "s" });
    });

    it("keeps an object that moved in the program, and renames on request", async () => {
      program(`new k8s.ConfigMap("a", { data: {} });\n`);
      await keelson("apply");
      const before = await keelson("names");
      program(
        `class Shop extends Resource { constructor() { super(); new k8s.ConfigMap("a", { data: {} }); } }\nnew Shop();\n`,
      );
      const planned = await keelson("plan");
      const [from, to] = [
        `dev:prog-${unique}:main:keelson:k8s/ConfigMap#a`,
        `dev:prog-${unique}:main/Shop:keelson:k8s/ConfigMap#a`,
      ];
      // The object is the same under both names, so that nothing would be deleted.
      expect(planned).toMatch(/^1 to update$/m);
      expect(planned).not.toContain("looks-renamed");
      expect(await keelson(`rename ${from} ${from.replace("ConfigMap", "Secret")}`)).toContain(
        "error[program.name-taken]",
      );
      expect(await keelson(`rename ${from}x ${to}x`)).toContain("error[program.unknown-resource]");
      expect(await keelson(`rename ${from} ${to}`)).toContain("→");
      expect(await keelson("status --history")).toMatch(
        new RegExp(
          `rename by .*: 1 renamed\n {2}renamed {2}ConfigMap .* was ${from.replaceAll(`-${unique}`, "-U")}\n`,
        ),
      );
      expect(await keelson("apply")).toMatch(/1 (?:unchanged|configured)\n/);
      expect(await keelson("plan")).toBe("1 unchanged\n");
      const id = /[-0-9a-f]{36}/;
      expect(id.exec(await keelson("names"))?.[0]).toBe(id.exec(before)?.[0]);
    });

    it("refuses decisions on what is not known, before anything is written", async () => {
      program(`const a = ${map("a", "{}")}if (a.metadata.uid === "x") {\n${map("b", "{}")}}\n`);
      const refused = await keelson("apply");
      expect(refused).toContain("error[program.provisioned-decision]");
      expect(refused).toMatch(/main\.ts:3:\d+/);
      expect(await find("ConfigMap", name("a"))).toBeUndefined();
    });

    it("names ConfigMaps after their contents, moves who uses them, and deletes the old one", async () => {
      const text = (color: string): string =>
        `const settings = new k8s.ConfigMap("${name("settings")}", { data: { color: "${color}" } }, { naming: "contentsHash" });\n` +
        map("user", "{ uses: settings.metadata.name }");
      program(text("blue"));
      await keelson("apply");
      const used = async (): Promise<string> => {
        const user = await find("ConfigMap", name("user"));
        return ((user?.["data"] ?? {}) as { uses?: string }).uses ?? "";
      };
      const first = await used();
      expect(first).toMatch(/-[0-9a-f]{6}$/);
      expect(await keelson("plan")).toBe("2 unchanged\n");
      program(text("red"));
      expect(await keelson("apply")).toContain("1 created, 1 configured, 1 pruned");
      expect(await used()).not.toBe(first);
      expect(await find("ConfigMap", first)).toBeUndefined();
      expect(await find("ConfigMap", await used())).toBeDefined();
    });

    it("replaces what cannot be changed in place, and says so", async () => {
      const text = (color: string, options = ""): string =>
        `new k8s.ConfigMap("fixed", { metadata: { name: "${name("fixed")}" }, immutable: true, data: { color: "${color}" } });\n` +
        map("asked", `{ color: "${color}" }`).replace("});", `}, ${options});`);
      const asked = "{ replaceOnChanges: ['data.color'] }";
      program(text("blue", asked));
      expect(await keelson("apply")).toContain("2 created");
      const uid = async (base: string): Promise<string | undefined> =>
        (await find("ConfigMap", name(base)))?.metadata.uid;
      const before = [await uid("fixed"), await uid("asked")];
      program(text("red", asked));
      expect(await keelson("plan")).toBe(
        [
          "± ConfigMap default/fixed-U replaced because of data, the old one goes first",
          '      .data.color: "blue" → "red"',
          "± ConfigMap default/asked-U replaced because of data.color, the old one goes first",
          '      .data.color: "blue" → "red"',
          "2 to update\n",
        ].join("\n"),
      );
      expect(await keelson("apply")).toContain("2 configured");
      const after = [await uid("fixed"), await uid("asked")];
      expect(after.every((each) => each !== undefined && !before.includes(each))).toBe(true);
      expect(await keelson("plan")).toBe("2 unchanged\n");

      const hold = (finalizers: readonly string[]): Promise<unknown> =>
        world.look((cluster) =>
          cluster.patch(
            { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: name("fixed") },
            "merge",
            { metadata: { finalizers: [...finalizers] } },
          ),
        );
      program(text("brown", "{ replaceOnChanges: ['data.color'], protect: true }"));
      expect(await keelson("plan")).toContain(
        "= ConfigMap default/asked-U skipped: it is protected, and would be replaced because of data.color",
      );
      await hold(["tests.keelson.dev/hold"]);
      program(text("green", asked));
      const held = await keelson("apply --reconcile-timeout 1s --output json");
      expect(held).toContain("program.not-replaced");
      await hold([]);
      const freed = await keelson("apply");
      expect(freed).toMatch(/1 created|1 configured/);
      expect(await keelson("plan"), freed).toBe("2 unchanged\n");
    });

    it("decides in stages, if it may", async () => {
      program(
        `const a = ${map("a", "{}")}if (a.metadata.uid.length > 1) {\n${map("b", "{}")}} else {\n${map("c", "{}")}}\n`,
      );
      const applied = await keelson("apply --allow-provisioned-conditions");
      expect(applied).toMatch(/stage 1\n(?:.*\n)*stage 2\n/);
      expect(await find("ConfigMap", name("b"))).toBeDefined();
      expect(await find("ConfigMap", name("c"))).toBeUndefined();
      expect(await keelson("apply --allow-provisioned-conditions")).toContain("2 unchanged");
      expect(await keelson("check")).toContain("error[program.provisioned-decision]");
    });

    it("has what is outside of Kubernetes made, changed, replaced, refreshed and deleted", async () => {
      const file = `${world.home}/greeting.txt`;
      const text = (bytes: number, greeting: string): string =>
        `import { local, random } from "keelson";\nconst id = new random.Id("id", { bytes: ${bytes} });\n` +
        `const password = new random.Password("pw", { length: 24 });\n` +
        `const file = new local.File("greeting", { path: ${JSON.stringify(file)}, content: \`${greeting} \${id.hex}\` });\n` +
        map("sum", "{ sha: file.sha256 }") +
        `new k8s.Secret("creds", { metadata: { name: "${name("creds")}" }, stringData: { password: password.value } });\n`;
      program(text(4, "hello"));
      expect(await keelson("plan")).toBe(
        [
          "+ Id dev:prog-U:main:keelson:random/Id#id",
          "+ Password dev:prog-U:main:keelson:random/Password#pw",
          "+ File dev:prog-U:main:keelson:local/File#greeting",
          "+ ConfigMap default/sum-U",
          "+ Secret default/creds-U",
          "5 to create\n",
        ].join("\n"),
      );
      expect(await keelson("apply")).toContain("5 created");
      const first = world.read("greeting.txt");
      expect(first).toMatch(/^hello [0-9a-f]{8}$/);
      const secret = (await find("Secret", name("creds")))?.["data"] as { password: string };
      const password = Buffer.from(secret.password, "base64").toString("utf8");
      expect(password).toHaveLength(24);
      expect(await keelson("plan")).toBe("5 unchanged\n");
      const records = await world.look((cluster) =>
        cluster.list({ apiVersion: "keelson.dev/v1", kind: "Provisioned" }),
      );
      expect(JSON.stringify(records)).not.toContain(password);

      program(text(4, "good bye"));
      expect(await keelson("plan")).toContain("~ File dev:prog-U:main:keelson:local/File#greeting");
      expect(await keelson("apply")).toContain("2 configured, 3 unchanged");
      expect(world.read("greeting.txt")).toBe(first.replace("hello", "good bye"));

      program(text(6, "good bye"));
      expect(await keelson("plan")).toContain("replaced because of bytes");
      await keelson("apply");
      expect(world.read("greeting.txt")).toMatch(/^good bye [0-9a-f]{12}$/);

      world.write("greeting.txt", "somebody else was here");
      expect(await keelson("refresh")).toContain("local/File#greeting: changed outside: ");
      expect(await keelson("names")).toContain("greeting.txt");
      expect(await keelson("destroy")).toContain("5 deleted");
    });

    it("saves plans that hold exactly or not at all", async () => {
      program(map("a", "{ v: 'secret-1' }"));
      await world.keelson(["plan", "app", "--out", "plan.json"]);
      expect(world.read("plan.json")).not.toContain("secret-1");
      program(map("a", "{ v: 'secret-2' }"));
      expect((await world.keelson(["apply", "plan.json"])).stderr).toContain(
        "the input has changed",
      );
      program(map("a", "{ v: 'secret-1' }"));
      expect((await world.keelson(["apply", "plan.json"])).stdout).toContain("1 created");
    });

    it("draws its graph with the reasons", async () => {
      program(`const a = ${map("a", "{}")}` + map("b", "{ uid: a.metadata.uid }"));
      const { stdout } = await world.keelson(["graph", "app"]);
      expect(stdout).toContain("ConfigMap b");
      expect(stdout).toContain("ConfigMap a");
    });
  });
}
