import { describe, expect, it } from "vitest";
import { runProcess, type ProcessOutcome } from "./index.ts";

const cases: readonly (readonly [command: readonly string[], expected: ProcessOutcome])[] = [
  [
    ["sh", "-c", "cat; echo err >&2; exit 2"],
    { kind: "ended", status: 2, stdout: "in", stderr: "err\n" },
  ],
  [["sh", "-c", "kill -9 $$"], { kind: "ended", status: undefined, stdout: "", stderr: "" }],
  [["keelson-no-such-program"], { kind: "not-found" }],
  [["sleep", "600"], { kind: "failed", reason: "it did not end within 0.5 s" }],
  [
    ["head", "-c", "70000000", "/dev/zero"],
    { kind: "failed", reason: "it printed more than 64 MiB" },
  ],
];

describe("runProcess", () => {
  it.each(cases)("%j", { timeout: 60_000 }, (command, expected) => {
    const environment = { PATH: process.env["PATH"] ?? "" };
    const timeoutMs = command[0] === "sleep" ? 500 : 60_000;
    expect(runProcess({ command, directory: "/", environment, input: "in", timeoutMs })).toEqual(
      expected,
    );
  });

  it("takes the status of a process that reads nothing of a long input", () => {
    const outcome = runProcess({
      command: ["sh", "-c", "echo out; exit 3"],
      directory: "/",
      environment: { PATH: process.env["PATH"] ?? "" },
      input: "in".repeat(1_000_000),
      timeoutMs: 60_000,
    });
    expect(outcome).toEqual({ kind: "ended", status: 3, stdout: "out\n", stderr: "" });
  });
});
