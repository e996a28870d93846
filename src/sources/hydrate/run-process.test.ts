import { describe, expect, it } from "vitest";
import { type ProcessOutcome, type ProcessRequest, runProcess, runProcessBeside } from "./index.ts";

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

const never = new AbortController().signal;

describe.each([
  ["runProcess", runProcess],
  ["runProcessBeside", runProcessBeside],
  ["runProcessBeside, with a signal", (request) => runProcessBeside(request, never)],
] satisfies [string, (request: ProcessRequest) => ProcessOutcome | Promise<ProcessOutcome>][])(
  "%s",
  (_name, run) => {
    it.each(cases)("%j", { timeout: 60_000 }, async (command, expected) => {
      const environment = { PATH: process.env["PATH"] ?? "" };
      const timeoutMs = command[0] === "sleep" ? 500 : 60_000;
      const request = { command, directory: "/", environment, input: "in", timeoutMs };
      expect(await run(request)).toEqual(expected);
    });

    it("takes the status of a process that reads nothing of a long input", async () => {
      const outcome = await run({
        command: ["sh", "-c", "echo out; exit 3"],
        directory: "/",
        environment: { PATH: process.env["PATH"] ?? "" },
        input: "in".repeat(1_000_000),
        timeoutMs: 60_000,
      });
      expect(outcome).toEqual({ kind: "ended", status: 3, stdout: "out\n", stderr: "" });
    });
  },
);
