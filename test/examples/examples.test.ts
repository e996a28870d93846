/** The small examples, one for each source: what they say is applied, ready and goes again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";

const examples = join(import.meta.dirname, "../../examples");

it.each([
  ["yaml", ["live", "apply"], ["live", "destroy"], "3 created", "3 deleted"],
  ["program", ["apply"], ["destroy", "--yes"], "4 created", "4 deleted"],
  ["tiltfile", ["ci"], ["down"], "2 components are ready", "2 deleted"],
  ["bundle", ["apply"], ["destroy", "--yes"], "2 created", "2 deleted"],
])("examples/%s", async (name, apply, destroy, made, gone) => {
  const home = await mkdtemp(join(tmpdir(), "keelson-example-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = {
    HOME: home,
    XDG_STATE_HOME: home,
    XDG_CACHE_HOME: home,
    PATH: process.env["PATH"] ?? "",
  };
  const run = async (args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runKeelson([...args, join(examples, name)], { env });
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  expect(await run(apply)).toContain(made);
  expect(await run(destroy)).toContain(gone);
});
