/** What programs and modules of providers print, in a process of its own: answers stay answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keelsonScript } from "../built-package.ts";
import { onTheSandbox } from "./on-the-sandbox.ts";

/** Ways around `process.stdout`, with a word for each by which its output is found. */
const ways: Readonly<Record<string, string>> = {
  writeSync: 'fs.writeSync(1, "WORD\\n")',
  "named import": 'writeSync(1, "WORD\\n")',
  buffer: 'fs.writeSync(1, Buffer.from("WORD\\n"))',
  write: 'await promisify(fs.write)(1, "WORD\\n")',
  writev: 'fs.writevSync(1, [Buffer.from("WORD\\n")])',
  descriptor: 'fs.writeFileSync(1, "WORD\\n")',
  append: 'fs.appendFileSync(1, "WORD\\n")',
  device: 'try { fs.appendFileSync("/dev/stdout", "WORD\\n") } catch {}',
  "device as URL": 'try { fs.appendFileSync(new URL("file:///dev/fd/1"), "WORD\\n") } catch {}',
  proc: 'try { fs.writeFileSync("/proc/self/fd/1", "WORD\\n", { flag: "a" }) } catch {}',
  "opened device": 'try { fs.writeSync(fs.openSync("/dev/stdout", "a"), "WORD\\n") } catch {}',
  promises: 'await fs.promises.appendFile("/dev/stdout", "WORD\\n").catch(() => {})',
  handle:
    'await fs.promises.open("/dev/stdout", "a").then((file) => file.write("WORD\\n")).catch(() => {})',
  stream:
    'await once(fs.createWriteStream(null, { fd: 1, autoClose: false }).end("WORD\\n"), "finish")',
  "device stream":
    'await once(fs.createWriteStream("/dev/stdout", { flags: "a" }).on("error", () => {}).end("WORD\\n"), "close")',
  execSync: 'execSync("echo WORD", { stdio: "inherit" })',
  execFileSync: 'execFileSync("echo", ["WORD"], { stdio: ["ignore", 1, 2] })',
  spawnSync:
    'spawnSync("echo", ["WORD"], { stdio: ["ignore", process.stdout.fd ?? "inherit", "inherit"] })',
  spawn: 'await once(spawn("echo", ["WORD"], { stdio: "inherit" }), "exit")',
  fork: 'await once(fork("talk.cjs", ["WORD"]), "exit")',
};
const aroundStreams = (who: string): string =>
  `import fs, { writeSync } from "node:fs";
import { once } from "node:events";
import { promisify } from "node:util";
import { execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
${Object.entries(ways)
  .map(([way, code]) => code.replace("WORD", `${who} by ${way}`))
  .join(";\n")};
`;
const bell = "\u001B]52;c;aGk=\u0007";
const talk = (who: string): string =>
  `console.log("${who} logs"); console.error(${JSON.stringify(`${who} warns${bell}`)}); process.stdout.write(${JSON.stringify(`${who} writes${bell}\n`)});`;

const files: Readonly<Record<string, string>> = {
  "app/keelson.json": '{ "project": "loud" }',
  "talk.cjs": "console.log(process.argv[2]);\n",
  "app/main.ts": `${aroundStreams("the program")}import { Thing } from "cloud";\n${talk("the program")}\nnew Thing("a", { value: "1" });\n`,
  "app/node_modules/cloud/package.json": JSON.stringify({
    name: "cloud",
    type: "module",
    exports: "./index.js",
    keelson: { provider: "./provider.js" },
  }),
  "app/node_modules/cloud/index.js":
    'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n}\n',
  "app/node_modules/cloud/provider.js": `${aroundStreams("the module")}${talk("the module")}
process.stdout.end();
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
  // Files, other than the sockets that Node makes for pipes, can be opened by the name of a device.
  const names = ["stdout", "stderr"].map((name) => join(home, name));
  const files = names.map((name) => {
    rmSync(name, { force: true });
    return openSync(name, "a");
  });
  const child = spawn(process.execPath, [keelsonScript, ...args], {
    cwd: home,
    env: onTheSandbox({ ...env, HOME: home, XDG_STATE_HOME: "", XDG_CACHE_HOME: "" }),
    stdio: ["ignore", ...files],
  });
  const [code] = (await once(child, "close")) as [number | null];
  for (const file of files) closeSync(file);
  const [stdout = "", stderr = ""] = names.map((name) => readFileSync(name, "utf8"));
  return { code: code ?? -1, stdout, stderr };
}

describe("what code of others prints in our process", () => {
  it.each(["plan", "apply", "destroy"])("leaves the JSON of %s as it is", async (command) => {
    // There is something to destroy only after an apply, and to apply only after a destroy.
    await keelson(command === "destroy" ? "apply" : "destroy", "app");
    const { code, stdout, stderr } = await keelson(command, "app", "--output", "json");
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of stdout.trimEnd().split("\n"))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(stdout).not.toMatch(/logs|writes|warns| by /);
    // A destroy asks only the provider.
    const first = command === "destroy" ? "the module" : "the program";
    expect(stderr).toContain(`${first} logs`);
    expect(stderr).toContain(`${first} writes`);
    expect(stderr).not.toContain("\u001B");
    const speakers = command === "plan" ? ["the program", "the module"] : [first];
    for (const who of speakers)
      expect(Object.keys(ways).filter((way) => !stderr.includes(`${who} by ${way}\n`))).toEqual([]);
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
