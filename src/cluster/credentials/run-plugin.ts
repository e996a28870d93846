import { fail } from "../../diagnostics/index.ts";
import { runToEnd } from "../../processes/index.ts";
import type { ExecEntry } from "../kubeconfig/kubeconfig.ts";
import { errorCode } from "../transport/connection-error.ts";

/** Long enough for somebody to log in with a browser. */
const timeoutMs = 10 * 60_000;
const mostOutput = 4 * 1024 * 1024;
const mostComplaint = 2000;

/** Runs a credential plugin and gives what it printed. */
export async function runCredentialPlugin(
  entry: ExecEntry,
  // A plugin that talks to the user needs the terminal; what others complain of is reported.
  isInteractive: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const ended = await runToEnd({
    command: [entry.command, ...entry.args],
    environment,
    timeoutMs,
    mostOutputBytes: mostOutput,
    isInteractive,
  });
  switch (ended.kind) {
    case "not-started":
      return notStarted(entry, ended.error);
    case "stopped":
      return failed(entry, ended.why, "");
    case "ended":
      return ended.status === 0
        ? ended.stdout
        : failed(
            entry,
            ended.status ?? ended.endedBy ?? "unknown",
            ended.stderr.slice(-mostComplaint),
          );
  }
}

function notStarted(entry: ExecEntry, error: Error): never {
  const missing = errorCode(error) === "ENOENT";
  return fail({
    code: "cluster.exec-plugin",
    summary: `the credential plugin ${entry.command} ${missing ? "is not installed" : `cannot be started (${errorCode(error)})`}`,
    hint: entry.installHint ?? `install ${entry.command}, or put it into PATH`,
    cause: error,
  });
}

function failed(entry: ExecEntry, status: number | string, complaint: string): never {
  return fail({
    code: "cluster.exec-plugin",
    summary: `the credential plugin ${entry.command} failed with ${typeof status === "number" ? `exit code ${status}` : status}`,
    ...(complaint.trim() === "" ? {} : { detail: complaint.trim() }),
    hint: `run ${entry.command} by hand to see what it says`,
  });
}
