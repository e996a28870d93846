import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { group, LiveWorld } from "../live/live-world.ts";
import { ensureProgram } from "./binaries.ts";
import { kpt } from "./kpt.ts";

type Line = Readonly<Record<string, unknown>>;

interface Outcome {
  readonly lines: readonly Line[];
}

/** Building kpt takes minutes where it has not been built before. */
const buildTimeoutMs = 30 * 60_000;

/** The same packages through real kpt and through Keelson, each in a namespace of its own. */
describe("live --output json is what kpt prints", () => {
  const unique = `kpt-json-${Date.now() % 1_000_000}`;
  const namespaces = { kpt: `${unique}-theirs`, keelson: `${unique}-ours` };
  let world: LiveWorld;
  let program: string;

  beforeAll(async () => {
    program = await ensureProgram(kpt, console.log);
    world = new LiveWorld(inject("kubeconfig"));
    await world.look(async (cluster) => {
      for (const name of Object.values(namespaces))
        await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    });
    await runKpt(["install-resource-group"]);
  }, buildTimeoutMs);
  afterAll(async () => {
    await world.look(async (cluster) => {
      for (const name of Object.values(namespaces))
        await cluster.delete({ apiVersion: "v1", kind: "Namespace", name });
    });
    world.remove();
  });

  const runKpt = (args: readonly string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const env = { ...process.env, HOME: world.home, KUBECONFIG: inject("kubeconfig") };
      const options = { cwd: world.home, env };
      // A failed run is an answer, too.
      execFile(program, ["live", ...args], options, (_error, stdout) => {
        resolve({ lines: linesOf(stdout, namespaces.kpt) });
      });
    });

  /** Runs both on the same text, in which `NS` is the namespace. */
  const both = async (text: string, command: string): Promise<readonly Outcome[]> => {
    for (const [tool, namespace] of Object.entries(namespaces)) {
      world.write(
        `${tool}/Kptfile`,
        `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\n`,
      );
      world.write(
        `${tool}/resourcegroup.yaml`,
        group("pkg", `pkg-${namespace}`, namespace).replace("---\n", ""),
      );
      world.write(`${tool}/all.yaml`, text.replaceAll("NS", namespace));
    }
    const [verb = "", ...flags] = command.split(" ");
    const theirs = await runKpt([verb, "kpt", ...flags, "--output", "json"]);
    const { stdout } = await world.live(`${verb} keelson ${[...flags, "--output json"].join(" ")}`);
    return [theirs, { lines: linesOf(stdout, namespaces.keelson) }];
  };

  const map = (name: string, more = "", data = "a"): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: NS\n${more}data: {a: ${data}}\n---\n`;
  const after = (name: string): string =>
    `  annotations: {config.kubernetes.io/depends-on: /namespaces/NS/ConfigMap/${name}}\n`;

  const fixed = (data: string): string =>
    map("a", "", data).replace("\ndata:", "\nimmutable: true\ndata:");

  const steps: readonly (readonly [what: string, text: string, command: string])[] = [
    ["creates two objects, one after the other", map("a") + map("b", after("a")), "apply"],
    ["leaves both as they are", map("a") + map("b", after("a")), "apply"],
    ["says how they are", map("a") + map("b", after("a")), "status"],
    ["would prune one", map("a"), "apply --dry-run"],
    ["prunes one", map("a"), "apply"],
    ["makes one immutable", fixed("a"), "apply"],
    ["fails on it, and skips what waits for it", fixed("b") + map("b", after("a")), "apply"],
    ["leaves what another inventory owns", fixed("a") + map("c"), "apply"],
    ["would delete everything", map("a"), "destroy --dry-run"],
    ["deletes everything", map("a"), "destroy"],
  ];

  it.each(steps)("%s", async (what, text, command) => {
    if (what.startsWith("leaves what another"))
      await world.look(async (cluster) => {
        for (const namespace of Object.values(namespaces))
          await cluster.create({
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: {
              name: "c",
              namespace,
              annotations: { "config.k8s.io/owning-inventory": "somebody" },
            },
          });
      });
    const [theirs, ours] = await both(text, command);
    expect(theirs?.lines.length).toBeGreaterThan(0);
    expect(shapesOf(ours)).toEqual(shapesOf(theirs));
    expect(storiesOf(ours)).toEqual(storiesOf(theirs));
    expect(summariesOf(ours)).toEqual(summariesOf(theirs));
  });

  it("ends with an error where objects wait for each other in a circle", async () => {
    const text = map("one", after("two")) + map("two", after("one"));
    const [theirs, ours] = await both(text, "apply");
    const last = (outcome: Outcome | undefined): unknown => keysOf(outcome?.lines.at(-1));
    expect(last(ours)).toEqual(last(theirs));
    expect(ours?.lines.at(-1)?.["type"]).toBe("error");
    expect(ours?.lines[0]).toMatchObject({
      type: "validation",
      objects: [{ name: "one" }, { name: "two" }],
    });
  });
});

function linesOf(stdout: string, namespace: string): readonly Line[] {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line.replaceAll(namespace, "NS")) as Line);
}

function keysOf(line: Line | undefined): string {
  return Object.keys(line ?? {}).join(" ");
}

/** Which kinds of lines there are, with their fields in their order. */
function shapesOf(outcome: Outcome | undefined): readonly string[] {
  const shapes = outcome?.lines.map(
    (line) => `${JSON.stringify([line["type"], line["action"]])}: ${keysOf(line)}`,
  );
  return [...new Set(shapes)].toSorted();
}

/** What happened to each object, in its order. Whether it had to be waited for depends on the moment. */
function storiesOf(outcome: Outcome | undefined): Readonly<Record<string, readonly string[]>> {
  const stories: Record<string, string[]> = {};
  for (const { type, name, status } of outcome?.lines ?? [])
    if (typeof name === "string" && status !== "Pending")
      (stories[name] ??= []).push(`${String(type)} ${String(status)}`);
  return stories;
}

function summariesOf(outcome: Outcome | undefined): readonly Line[] {
  return (outcome?.lines ?? [])
    .filter(({ type }) => type === "summary")
    .map(({ timestamp: _time, ...line }) => line);
}
