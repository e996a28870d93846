/** What programs and modules of providers print, in a process of its own: answers stay answers. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keelsonScript } from "../built-package.ts";
import { onTheSandbox } from "./on-the-sandbox.ts";

const bell = "\u001B]52;c;aGk=\u0007";
const talk = (who: string): string =>
  `console.log("${who} logs"); console.error(${JSON.stringify(`${who} warns${bell}`)}); process.stdout.write(${JSON.stringify(`${who} writes${bell}\n`)});`;

const files: Readonly<Record<string, string>> = {
  "app/keelson.json": '{ "project": "loud" }',
  "app/main.ts": `import { Thing } from "cloud";\n${talk("the program")}\nnew Thing("a", { value: "1" });\n`,
  "app/node_modules/cloud/package.json": JSON.stringify({
    name: "cloud",
    type: "module",
    exports: "./index.js",
    keelson: { provider: "./provider.js" },
  }),
  "app/node_modules/cloud/index.js":
    'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n}\n',
  "app/node_modules/cloud/provider.js": `${talk("the module")}
export default {
  create: async (inputs) => { ${talk("the provider")} return { id: "1", outputs: { echo: inputs.value } }; },
  check: async () => { ${talk("the check")} return []; },
  read: async () => ({}),
  update: async () => ({}),
  delete: async () => {},
};
`,
};

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "keelson-loud-"));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), contents);
  }
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

async function keelson(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { NODE_OPTIONS: _none, ...env } = process.env;
  const child = spawn(process.execPath, [keelsonScript, ...args], {
    cwd: home,
    env: onTheSandbox({ ...env, HOME: home, XDG_STATE_HOME: "", XDG_CACHE_HOME: "" }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => {
      resolve(code ?? -1);
    });
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

describe("what code of others prints in our process", () => {
  it.each(["plan", "apply", "destroy"])("leaves the JSON of %s as it is", async (command) => {
    // There is something to destroy only after an apply, and to apply only after a destroy.
    await keelson(command === "destroy" ? "apply" : "destroy", "app");
    const { code, stdout, stderr } = await keelson(command, "app", "--output", "json");
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of stdout.trimEnd().split("\n"))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(stdout).not.toMatch(/logs|writes|warns/);
    // A destroy asks only the provider.
    const first = command === "destroy" ? "the module" : "the program";
    expect(stderr).toContain(`${first} logs`);
    expect(stderr).toContain(`${first} writes`);
    expect(stderr).not.toContain("\u001B");
    if (command !== "apply") return;
    for (const who of ["the module", "the provider"])
      for (const what of ["logs", "writes", "warns"]) expect(stderr).toContain(`${who} ${what}`);
  });

  it("stands beside the text of a command, not in it", async () => {
    await keelson("destroy", "app");
    const { stdout, stderr } = await keelson("apply", "app", "--no-color");
    expect(stdout).not.toMatch(/logs|writes|warns/);
    expect(stderr).toContain("the provider logs");
    expect(stderr).not.toContain("\u001B");
  });
});
