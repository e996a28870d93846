import { describe, expect, it } from "vitest";
import { runKeelson } from "../../../test/cli/run-keelson.ts";
import { commandGroups } from "../application.ts";
import { formatHelp } from "./format-help.ts";

const written = `USAGE
  keelson make [--into folder] [--color red|green] [--loud] [--wait] <thing> [<more>]
  keelson make --help

Makes a thing, and waits until it is there,
unless it is told not to.

RUNS
  nothing

EXAMPLES
  keelson make hay  # while the sun shines

FLAGS
     [--into]            Where it is put, and found again when it is made once more
     [--color]           What it looks like                          [red|green, default = red]
  -l [--loud]            Say what happens                            [default = false]
     [--wait/--no-wait]  Wait until it is there                      [default = true]
  -h  --help             Show this help
      --                 All subsequent inputs should be interpreted as arguments

ARGUMENTS
  thing  What to make
  more   What else to make [default = .]
`;

it("puts examples first, and everything into the width of the terminal", () => {
  expect(formatHelp(written, 60)).toBe(`Makes a thing, and waits until it is there, unless it is
told not to.

EXAMPLES
  keelson make hay  # while the sun shines

USAGE
  keelson make [flags] <thing> [<more>]

ARGUMENTS
  thing  What to make
  more   What else to make (default .)

FLAGS
      --into <folder>  Where it is put, and found again when
                       it is made once more
      --color          What it looks like (red, green,
                       default red)
  -l, --loud           Say what happens
      --[no-]wait      Wait until it is there (default true)
  -h, --help           Show this help

RUNS
  nothing
`);
});

describe("the help of Keelson", () => {
  it("lists every command in a group, on one screen", async () => {
    const { stdout } = await runKeelson(["--help"]);
    const listed = [...stdout.matchAll(/^ {2}(\w+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(listed).toEqual(Object.values(commandGroups).flat());
    expect(listed.toSorted()).toEqual(await allCommands());
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(42);
  });

  it("is no wider than 80 columns, whatever the command", async () => {
    const all = (await allCommands()).map((name) => [name]);
    const live = ["init", "migrate", "plan", "apply", "status", "destroy"].map((name) => [
      "live",
      name,
    ]);
    for (const words of [[], ...all, ...live]) {
      const { stdout } = await runKeelson([...words, "--help"]);
      const [first = ""] = stdout.split("\n").toSorted((a, b) => b.length - a.length);
      // A command line to copy is not broken.
      if (!first.includes("keelson")) expect(first.length, first).toBeLessThanOrEqual(80);
      expect(stdout).toMatch(/^EXAMPLES$/m);
    }
  });
});

/** As the completion of command lines has them. */
async function allCommands(): Promise<readonly string[]> {
  const { stdout } = await runKeelson(["__complete", "--", ""]);
  return stdout
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "")
    .filter((name) => /^\w+$/.test(name))
    .toSorted();
}
