import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { group, LiveWorld } from "../live/live-world.ts";
import { type Ran, runKeelson } from "./run-keelson.ts";

/** Writes to the clipboard, clears the screen, moves and rewrites, reorders, and draws a line of its own. */
const attack =
  "\u001B]52;c;cHduZWQ=\u0007\u001B[2J\u009B2J\u001B[8m\u202Egpj\u2066\u200B\u007F\rDONE\u001B[31m";
const inYaml = JSON.stringify(attack);
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const ours = /\u001B\[(?:\d+;?)*m|\r\u001B\[\d+A\u001B\[J/g;
const acting =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]|\u001B\[8m/;

/** What an object says reached whoever looks, and did nothing else. */
function expectShown({ stdout, stderr }: Ran): void {
  const shown = `${stdout}${stderr}`.replaceAll(ours, "");
  expect(shown).toMatch(/DONE|\\u202e/);
  expect(shown).not.toMatch(acting);
}

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
});
afterEach(() => {
  world.remove();
});
const onTerminal = (args: readonly string[]): Promise<Ran> =>
  runKeelson([...args, ...(args[0] === "sandbox" ? [] : ["--sandbox"])], {
    env: { HOME: world.home, FORCE_COLOR: "1" },
    workingDirectory: world.home,
    terminal: true,
  });

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  names: { kind: Thing, plural: things }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
`;
const thing = `apiVersion: example.com/v1
kind: Thing
metadata: { name: thing, namespace: default }
status:
  conditions:
    - { type: Stalled, status: "True", reason: Bad, message: ${inYaml} }
`;

describe("a condition", () => {
  beforeEach(() => {
    world.write("pkg/resourcegroup.yaml", group("pkg"));
    world.write("pkg/objects.yaml", `${definition}${thing}`);
  });

  it.each(["events", "table", "events-json"])(
    "is harmless in live apply and status (%s)",
    async (output) => {
      expectShown(
        await onTerminal(["live", "apply", "pkg", "--reconcile-timeout", "1s", "--output", output]),
      );
      const status = await onTerminal(["live", "status", "pkg", "--output", output]);
      expectShown(status);
      if (output !== "events-json") return;
      expectShown(await onTerminal(["live", "status", "pkg", "--output", "json"]));
      const lines = status.stdout.trim().split("\n");
      const messages = lines.map((line) => JSON.parse(line) as { readonly message?: string });
      expect(messages.some(({ message }) => message?.includes(attack))).toBe(true);
    },
  );

  it("cannot look like a line of ours", async () => {
    world.write("pkg/objects.yaml", `${definition}${thing.replace(inYaml, '"a\\n✓ all is well"')}`);
    const { stdout } = await onTerminal(["live", "apply", "pkg", "--reconcile-timeout", "1s"]);
    expect(stdout).toContain("all is well");
    expect(stdout).not.toMatch(/^✓ all is well/m);
  });
});

it.each(["text", "json"])("errors in input are harmless (%s)", async (output) => {
  world.write(
    "bad.yaml",
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${inYaml} }\ndata: ["\u001B]0;DONE\u0007"\n---\napiVersion: v1\nkind: ${inYaml}\n`,
  );
  expectShown(await onTerminal(["check", "bad.yaml", "--output", output]));
});

it("names of files stay on their line", async () => {
  world.write("pkg/a\n✓ all is well.yaml", "kind: ConfigMap\n");
  const { stderr } = await onTerminal(["check", "pkg"]);
  expect(stderr).toContain("/pkg/a\\u000a✓ all is well.yaml:1:1\n");
  expect(stderr).not.toMatch(/^✓/m);
});

it("what a Tiltfile prints and runs is harmless", async () => {
  world.write(
    "Tiltfile",
    `print(${inYaml})\nlocal("printf '\\\\033]52;c;x\\\\007DONE\\\\033[2J' >&2; echo")\nfail(${inYaml})\n`,
  );
  expectShown(await onTerminal(["check", "Tiltfile"]));
});

it("what a program prints, and what it runs, is harmless", async () => {
  world.write("keelson.json", '{"project": "p"}');
  world.write(
    "main.ts",
    `import { local } from "keelson";
console.log(${inYaml}); console.error(${inYaml});
new local.Command("noisy", { command: "printf '\\\\033]52;c;x\\\\007DONE\\\\033[2J\\\\n' >&2; printf '\\\\033[?1049hDONE\\\\n'; false" });
`,
  );
  expectShown(await onTerminal(["apply", "main.ts", "--yes"]));
});

it("what a provider writes to standard error is harmless", async () => {
  world.write("keelson.json", '{"project": "p"}');
  world.write(
    "node_modules/cloud/package.json",
    JSON.stringify({
      name: "cloud",
      type: "module",
      exports: "./index.js",
      keelson: {
        provider: {
          command: ["sh", "-c", "printf '\\033]52;c;x\\007DONE\\033[2J\\n' >&2; exit 3"],
        },
      },
    }),
  );
  world.write(
    "node_modules/cloud/index.js",
    'import { Resource } from "keelson";\nexport class Thing extends Resource {}\n',
  );
  world.write("main.ts", 'import { Thing } from "cloud";\nnew Thing("a", {});\n');
  expectShown(await onTerminal(["apply", "main.ts", "--yes"]));
});

it("a snapshot holds it spelled out", async () => {
  world.write("pkg/resourcegroup.yaml", group("pkg"));
  world.write("pkg/objects.yaml", `${definition}${thing}`);
  await onTerminal(["live", "apply", "pkg", "--reconcile-timeout", "1s"]);
  const snapshot = await onTerminal(["sandbox", "snapshot", "-"]);
  expectShown(snapshot);
});
