import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { diagnosticsOf } from "../../src/cli/report.ts";
import { patienceMs } from "../patience.ts";
import { configMap, LiveWorld } from "../live/live-world.ts";
import { runKeelson } from "./run-keelson.ts";
import { startKeelson } from "./start-keelson.ts";

it("says a defect as one, with its stack only when asked", () => {
  const [quiet] = diagnosticsOf(new Error("boom"), false);
  expect(quiet).toMatchObject({
    code: "cli.internal",
    summary: "Keelson failed unexpectedly: boom",
  });
  expect(quiet?.detail).toBeUndefined();
  expect(diagnosticsOf(new Error("boom"), true)[0]?.detail).toContain("internal-error.test");
});

it("does not take a refusal of the system for a defect", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/a'"), {
    code: "ENOSPC",
  });
  expect(diagnosticsOf(full, false)).toMatchObject([
    {
      code: "cli.system",
      summary: "the system refused: ENOSPC: no space left on device, write '/a'",
      hint: "make room on that disk, then try again",
    },
  ]);
});

it("does not take a folder in the place of a file for a defect", async () => {
  const world = new LiveWorld();
  onTestFinished(() => {
    world.remove();
  });
  world.write("pkg/Kptfile/empty", "");
  world.write("pkg/a.yaml", configMap("a"));
  for (const args of [["apply", "--sandbox"], ["init"], ["migrate", "--sandbox"]]) {
    const [command = "", ...flags] = args;
    const { code, stderr } = await runKeelson(["live", command, "pkg", ...flags], {
      env: { HOME: world.home },
      workingDirectory: world.home,
    });
    expect({ command, code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "hint: a folder is in the place of a file: name a file, or move the folder away",
      ) as unknown,
    });
  }
});

it("says what nobody caught in the same way", { timeout: patienceMs }, async () => {
  const home = mkdtempSync(join(tmpdir(), "keelson-defect-"));
  onTestFinished(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const thrown = "setInterval(() => { throw new Error('\\x1b]52;c;x\\x07') }, 100)";
  const keelson = startKeelson(["sandbox", "--data", home], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(thrown)}`,
  });
  expect(await keelson.exited).toBe(1);
  expect(keelson.errors()).toContain(
    "error[cli.internal]: Keelson failed unexpectedly: \\u001b]52;c;x\\u0007",
  );
});
