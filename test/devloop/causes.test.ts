import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { simulatedSituations } from "../causes/sandbox-situations.ts";
import { DevProject } from "./dev-project.ts";
import type { Terminal } from "./terminal.ts";

let project: DevProject;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await project.close();
});

const shown = simulatedSituations.filter(({ name }) =>
  [
    "oom",
    "crash",
    "image",
    "secret",
    "key",
    "mount",
    "account",
    "cpu",
    "selector",
    "ordered",
    "agent",
  ].includes(name),
);

/** What stands on a screen, with lines that were wrapped as one. */
function unwrapped(screen: string): string {
  return screen.replaceAll(/ +\d+[smh]\s*$/gm, "").replaceAll(/\s+/g, " ");
}

const uncounted = (text: string): string => text.replaceAll(/\d+ times/g, "so many times");

it("shows each cause whole, first, on 80 columns", { timeout: 60_000 }, async () => {
  project = new DevProject({
    Tiltfile: "k8s_yaml('all.yaml')",
    "all.yaml": shown.map(({ manifest }) => manifest).join(""),
  });
  terminal = project.terminal(["up", "--sandbox"], {}, { columns: 80, rows: 50 });
  for (const { name, expected } of shown)
    await terminal.shows((screen) =>
      uncounted(unwrapped(screen)).includes(` ${name} ${uncounted(expected)}`),
    );
  for (const line of terminal.screen.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

it("tells all that is known of a component after Enter, and hides it again", async () => {
  const [oom] = shown;
  project = new DevProject({ Tiltfile: "k8s_yaml('all.yaml')", "all.yaml": oom?.manifest ?? "" });
  terminal = project.terminal(["up", "--sandbox"], {}, { columns: 80, rows: 24 });
  await terminal.shows(/out of memory: limit 64Mi, killed/);
  expect(terminal.screen).not.toContain("kubectl logs");
  terminal.press("\r");
  await terminal.shows(/→ kubectl logs -n default pod\/oom-\S+ -c main/);
  expect(terminal.screen).toMatch(/pod oom-\S+, container main/);
  terminal.press("\r");
  await terminal.shows((screen) => !screen.includes("kubectl logs"));
});

it("is what ci, its JSON and its JUnit report say", async () => {
  const [oom] = shown;
  project = new DevProject({
    Tiltfile: "k8s_yaml('all.yaml')",
    "all.yaml": oom?.manifest ?? "",
  });
  const text = await project.run("ci --sandbox --junit report.xml");
  expect(text.stdout).toMatch(
    /✗ oom failed: out of memory: limit 64Mi, killed \d times \(took .*\)\n {2}│ Killed\n {2}→ kubectl logs /,
  );
  const report = readFileSync(project.path("report.xml"), "utf8");
  expect(report).toMatch(
    /<failure type="CrashLoopBackOff" message="out of memory: limit 64Mi, killed \d times">│ Killed&#10;→ kubectl logs /,
  );
  const { stdout } = await project.run("ci --sandbox --output json");
  const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
    readonly components: readonly { readonly runtime: { readonly cause?: object } }[];
  };
  expect(last.components[0]?.runtime.cause).toMatchObject({
    reason: "CrashLoopBackOff",
    summary: expect.stringMatching(/^out of memory: limit 64Mi/) as unknown,
    about: expect.stringMatching(/^pod oom-/) as unknown,
  });
});
