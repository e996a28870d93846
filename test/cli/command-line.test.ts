import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runKeelson } from "./run-keelson.ts";

describe("the command line", () => {
  it("prints help with examples at each level", async () => {
    for (const args of [
      [],
      ["--help"],
      ["check", "--help"],
      ["completion", "--help"],
      ["completion", "zsh", "--help"],
    ]) {
      const { code, stdout, stderr } = await runKeelson(args);
      expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
      expect(stdout, args.join(" ")).toMatch(/^[A-Z][^\n]*[\s\S]*\n\nEXAMPLES\n {2}\S/);
    }
  });

  it("prints its version", async () => {
    expect(await runKeelson(["--version"])).toEqual({
      code: 0,
      stdout: "0.0.0-test\n",
      stderr: "",
    });
  });

  const mistakes: readonly (readonly [args: string, stderr: string])[] = [
    ["chek", "error[cli.usage]: there is no command `chek`\n  hint: did you mean `check`?\n"],
    [
      "frobnicate",
      "error[cli.usage]: there is no command `frobnicate`\n  hint: `keelson --help` lists the commands\n",
    ],
    [
      "check --outputt json",
      "error[cli.usage]: there is no flag `--outputt`\n  hint: did you mean `--output`?\n",
    ],
    [
      "check --output xml",
      'error[cli.usage]: expected "xml" to be one of (text|json), did you mean "json" or "text"?\n  hint: `keelson check --help` shows what it takes\n',
    ],
    [
      "live apply --rgfile x",
      "error[cli.usage]: there is no flag `--rgfile`\n  hint: did you mean `--rg-file`?\n",
    ],
    ...["--rg nothing.yaml", "--rg=nothing.yaml"].map((flag): [string, string] => [
      `live init --name A ${flag}`,
      'error[live.invalid-group]: nothing.yaml: "A" is no name for a ResourceGroup: lower-case letters, digits, - and . only (RFC 1123)\n  hint: choose another with --name\n',
    ]),
    [
      "live status --poll-until later",
      'error[cli.usage]: expected "later" to be one of (known|current|deleted|forever), did you mean "deleted"?\n  hint: `keelson live status --help` shows what it takes\n',
    ],
    ...["99999", "-1", "0.5", "http"].map((port): [string, string] => [
      `sandbox serve --port=${port}`,
      `error[cli.usage]: failed to parse "${port}" for port: "${port}" is no port; ports are 0 to 65535, 0 for any\n  hint: \`keelson sandbox serve --help\` shows what it takes\n`,
    ]),
  ];
  it.each(mistakes)("refuses `%s`", async (args, stderr) => {
    expect(await runKeelson(args.split(" "))).toEqual({ code: 1, stdout: "", stderr });
  });

  it.each([
    ["chek --output json", "there is no command `chek`", "did you mean `check`?"],
    ["check --bogus -o json", "there is no flag `--bogus`", undefined],
    ["live status --timeout x -o events-json", /^failed to parse "x" for timeout/, undefined],
    ["live apply a b --output events-json", /^too many arguments/, undefined],
  ])("says a usage error as JSON where JSON is asked for: `%s`", async (args, summary, hint) => {
    const { code, stdout, stderr } = await runKeelson(args.split(" "));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      type: "error",
      severity: "error",
      code: "cli.usage",
      summary: expect.stringMatching(summary),
      hint: hint ?? expect.stringMatching(/--help` shows what it takes$/),
    });
  });

  it("colours errors on a terminal only, and never after --no-color or with NO_COLOR", async () => {
    const escape = "\u001B[";
    const missing = ["check", "no-such-file.yaml"];
    expect((await runKeelson(missing, { terminal: true })).stderr).toContain(escape);
    expect((await runKeelson(missing)).stderr).not.toContain(escape);
    expect((await runKeelson([...missing, "--no-color"], { terminal: true })).stderr).not.toContain(
      escape,
    );
    expect(
      (await runKeelson(missing, { terminal: true, env: { NO_COLOR: "1" } })).stderr,
    ).not.toContain(escape);
  });
});

describe("completions", () => {
  it.each(["bash", "zsh", "fish"])("has a script for %s", async (shell) => {
    const { code, stdout } = await runKeelson(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("keelson __complete");
  });

  it("proposes commands and flags", async () => {
    expect((await runKeelson(["__complete", "--", "com"])).stdout).toMatch(/^completion\t/);
    expect((await runKeelson(["__complete", "--", "check", "--out"])).stdout).toMatch(
      /^--output\t/,
    );
    expect((await runKeelson(["__complete", "--", "check", "--output", ""])).stdout).toMatch(
      /text\t[\s\S]*json\t/,
    );
  });

  it("proposes the contexts of the kubeconfig", async () => {
    const folder = mkdtempSync(join(tmpdir(), "keelson-contexts-"));
    try {
      const contexts = ["kind-dev", "staging", "kind-test"].map((name) => ({ name, context: {} }));
      const file = join(folder, "config");
      writeFileSync(file, JSON.stringify({ kind: "Config", apiVersion: "v1", contexts }));
      const ask = (...words: readonly string[]) =>
        runKeelson(["__complete", "--", ...words], { env: { KUBECONFIG: file } });
      expect((await ask("apply", "--context", "kind")).stdout).toBe("kind-dev\t\nkind-test\t\n");
      expect((await ask("apply", "--kubeconfig", "/nowhere", "--context", "")).stdout).toBe("");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
