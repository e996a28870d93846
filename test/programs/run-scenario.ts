import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { LiveWorld } from "../live/live-world.ts";

/**
 * Runs a scenario and gives it back as it went. A scenario is a text of steps: `--- file` and what is
 * in it, until the next step; `--- no file`, which removes it; and `$ keelson …` with what it printed.
 * What was done in no particular order is printed sorted, unless `# in order` follows the command. All else that stands before the first step says what it is about.
 */
export async function runScenario(text: string): Promise<string> {
  const world = new LiveWorld();
  try {
    world.write("keelson.json", '{ "project": "shop" }\n');
    installCloud(world);
    const [about = "", ...steps] = text.split(/^(?=(?:--- |\$ ))/m);
    const shown: string[] = [about];
    const suffixes = new Suffixes();
    for (const step of steps) shown.push(await runStep(world, step, suffixes));
    return shown.join("");
  } finally {
    world.remove();
  }
}

async function runStep(world: LiveWorld, step: string, suffixes: Suffixes): Promise<string> {
  const [head = "", ...rest] = step.split("\n");
  const body = rest.join("\n");
  if (head.startsWith("--- no ")) {
    world.erase(head.slice("--- no ".length));
    return step;
  }
  if (head.startsWith("--- ")) {
    world.write(head.slice("--- ".length), `${body.trimEnd()}\n`);
    return step;
  }
  const [command = "", isInOrder] = head.split("# ");
  const { code, stdout, stderr } = await world.keelson(wordsOf(command));
  const done = isInOrder === undefined ? sortDone(stdout) : stdout;
  const output = suffixes.plain(plain(done + stderr, world.home));
  return `${head}\n${output}${code === 0 ? "" : `exit ${code}\n`}\n`;
}

/** Lines of things done that follow each other, sorted, whatever is new in them each time. */
function sortDone(output: string): string {
  const keyOf = (line: string): string => line.replaceAll(suffix, "");
  return plain(output, "\0").replaceAll(
    /(?:^[✓✗-] .*\n)+/gm,
    (lines) =>
      `${lines
        .trimEnd()
        .split("\n")
        .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
        .join("\n")}\n`,
  );
}

const suffix = /(?<=-)[0-9a-f]{6}\b/g;

/** `$ keelson rename "a b" c` as words, without the first two. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  return words.slice(2).map((word) => word ?? "");
}

/** What is the same each time: no times, no paths of this machine, no uids. */
function plain(output: string, home: string): string {
  return output
    .replaceAll(/^(?:using |took ).*\n/gm, "")
    .replaceAll(/^… waiting for .*\n/gm, "")
    .replaceAll(home, "~")
    .replaceAll(process.execPath, "node")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>");
}

/** Ends of names that are new each time, by numbers in the order in which they are seen. */
class Suffixes {
  readonly #seen: string[] = [];

  plain(output: string): string {
    return output.replaceAll(suffix, (end) => {
      if (!this.#seen.includes(end)) this.#seen.push(end);
      return `<${this.#seen.indexOf(end) + 1}>`;
    });
  }
}

/** A package whose provider keeps things in a file, and fails as fault.json says. */
function installCloud(world: LiveWorld): void {
  const folder = "node_modules/cloud";
  world.write(
    `${folder}/package.json`,
    JSON.stringify({
      name: "cloud",
      type: "module",
      exports: "./index.js",
      keelson: { provider: { command: [process.execPath, "provider.mjs"] } },
    }),
  );
  world.write(
    `${folder}/index.js`,
    'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n  size = provisioned();\n}\n',
  );
  copyFileSync(
    new URL("../faults/cloud-provider.mjs", import.meta.url),
    join(world.home, folder, "provider.mjs"),
  );
}
