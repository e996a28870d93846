/** Which commands run code of their input: docs/what-runs.md, checked by a trace that the code leaves. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whatRuns } from "../../src/cli/what-runs.ts";
import { group, LiveWorld } from "../live/live-world.ts";

/** How each command is called; the source is `app`. Those with a page or without an end are tried elsewhere. */
const calls: Readonly<Record<string, string>> = {
  check: "check app",
  "check --no-execution": "check app --no-execution",
  assemble: "assemble app",
  graph: "graph app",
  types: "types app",
  plan: "plan app",
  apply: "apply app --yes",
  refresh: "refresh app",
  status: "status app",
  names: "names app",
  rename: "rename a b --yes --source app",
  import: "import a b --source app",
  logs: "logs --source app",
  stats: "stats a --source app",
  destroy: "destroy app --yes",
  ci: "ci app",
  down: "down app",
  "live plan": "live plan app",
  "live apply": "live apply app",
  "live status": "live status app",
  "live destroy": "live destroy app",
  validate: "validate app",
};

const tables: Readonly<Record<string, { readonly evaluates: readonly string[] }>> = {
  ...whatRuns,
  "check --no-execution": { evaluates: [] },
};
/** They have a page, or no end. */
const triedElsewhere = ["up", "dashboard"];

let world: LiveWorld;
const marker = (): string => join(world.home, "ran");
beforeEach(() => {
  world = new LiveWorld();
  world.write("app/keelson.json", JSON.stringify({ project: "traces" }));
  world.write("app/resourcegroup.yaml", group("traces"));
});
afterEach(() => {
  world.remove();
});

const sources = {
  tiltfile: () => {
    const map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
    world.write(
      "app/Tiltfile",
      `local(["touch", ${JSON.stringify(marker())}])\nk8s_yaml(blob("""${map}"""))\n`,
    );
  },
  program: () => {
    const trace = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker())}, "");\n`;
    const map = `new k8s.ConfigMap("a", { metadata: { name: "a" } });\n`;
    world.write("app/main.ts", `import { k8s } from "keelson";\n${trace}${map}`);
  },
} as const;

it("tries every command that evaluates a source", () => {
  const evaluating = Object.entries(tables).filter(([, { evaluates }]) => evaluates.length > 0);
  expect(
    evaluating.map(([command]) => command).filter((command) => calls[command] === undefined),
  ).toEqual(triedElsewhere);
});

it.each(
  Object.keys(calls).flatMap((command) =>
    (["tiltfile", "program"] as const).map(
      (kind) =>
        [command, kind, tables[command]?.evaluates.includes(kind) === true ? "yes" : "no"] as const,
    ),
  ),
)("keelson %s with a %s: %s", async (command, kind, expected) => {
  sources[kind]();
  const call = (line: string) => world.keelson(line.split(" "));
  if (
    !["check", "assemble", "graph", "plan", "apply", "ci", "live plan", "live apply"].includes(
      command,
    )
  )
    await call(command.startsWith("live") ? "live apply app" : "apply app --yes");
  rmSync(marker(), { force: true });
  await call(calls[command] ?? command);
  expect(existsSync(marker()) ? "yes" : "no").toBe(expected);
});
