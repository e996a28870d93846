/** Every example, by the commands that its page says, with the installed package. */
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { startPostgres } from "../providers/postgres-server.ts";
import { followPage } from "./follow-page.ts";
import { npmInstall } from "./npm.ts";
import { readPage } from "./read-page.ts";
import { TerminalShell } from "./terminal-shell.ts";

const root = join(import.meta.dirname, "../..");

/** A terminal in a folder with the examples. */
async function openBesideExamples(
  { onTestFinished }: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<TerminalShell> {
  const shell = await TerminalShell.open({ env });
  onTestFinished(() => shell.close());
  await cp(join(root, "examples"), join(shell.folder, "examples"), { recursive: true });
  return shell;
}

describe.concurrent("examples/README.md", () => {
  const page = readFileSync(join(root, "examples/README.md"), "utf8");
  const commands = new Map(
    [...page.matchAll(/^\| \[([\w-]+)\].*`(keelson .*)`/gm)].map(([, name = "", line = ""]) => [
      name,
      line,
    ]),
  );

  it("has a command for each source", () => {
    expect([...commands.keys()]).toEqual(["yaml", "program", "tiltfile", "bundle"]);
  });

  it.for([
    ["yaml", "3 created", "keelson live destroy examples/yaml --yes", "3 deleted"],
    ["program --yes", "4 created", "keelson destroy examples/program --yes", "4 deleted"],
    ["bundle --yes", "2 created", "keelson destroy examples/bundle --yes", "2 deleted"],
  ])("%s", async ([words = "", made, destroy = "", gone], context) => {
    const [name = "", ...flags] = words.split(" ");
    const shell = await openBesideExamples(context);
    const apply = [commands.get(name) ?? "", ...flags].join(" ");
    await followPage(shell, [
      { kind: "command", line: apply, output: `…\n${made}\ntook … s\n` },
      { kind: "command", line: destroy, output: `…\n${gone}\ntook … s\n` },
    ]);
  });

  it("tiltfile", async (context) => {
    const shell = await openBesideExamples(context);
    shell.type(commands.get("tiltfile") ?? "");
    await shell.shows(() => /^. web .*ready/m.test(shell.visible));
    expect(shell.visible).toMatch(/^schema +│ lines of the schema: 1$/m);
    shell.press("q");
    expect((await shell.ended()).code).toBe(0);
    const down = await shell.run("keelson down examples/tiltfile");
    expect(down.printed).toContain("2 deleted");
  });
});

it.concurrent.for(["examples/resource-claims/README.md", "examples/python-provider/README.md"])(
  "%s does what it says",
  async (page, context) => {
    const shell = await openBesideExamples(context);
    await followPage(shell, readPage(readFileSync(join(root, page), "utf8")));
  },
);

it.concurrent("examples/postgres-provider/README.md does what it says", async (context) => {
  const server = await startPostgres();
  context.onTestFinished(() => server.stop());
  const shell = await openBesideExamples(context, server.environment);
  await npmInstall(shell.folder, "./examples/postgres-provider");
  const page = readFileSync(join(root, "examples/postgres-provider/README.md"), "utf8");
  await followPage(shell, readPage(page));
});

it.concurrent("docs/supply-chains.md does what it says of examples/supply-chain", async (context) => {
  const shell = await openBesideExamples(context);
  await followPage(shell, readPage(readFileSync(join(root, "docs/supply-chains.md"), "utf8")));
});
