import { spawn } from "node:child_process";
import { fail } from "../../diagnostics/index.ts";
import type { ExecEntry } from "../kubeconfig/kubeconfig.ts";
import { errorCode } from "../transport/connection-error.ts";

/** Long enough for somebody to log in with a browser. */
const timeoutMs = 10 * 60_000;
const mostOutput = 4 * 1024 * 1024;
const mostComplaint = 2000;

/** Runs a credential plugin and gives what it printed. */
export function runPlugin(
  entry: ExecEntry,
  interactive: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(entry.command, entry.args, {
      env,
      // A plugin that talks to the user needs the terminal; what others complain of is reported.
      stdio: [interactive ? "inherit" : "ignore", "pipe", interactive ? "inherit" : "pipe"],
      timeout: timeoutMs,
    });
    let output = "";
    let complaint = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.length > mostOutput) child.kill();
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      complaint = (complaint + chunk).slice(-mostComplaint);
    });
    const settle = (finish: () => string): void => {
      try {
        resolve(finish());
      } catch (error) {
        reject(error);
      }
    };
    child.on("error", (error) => {
      settle(() => notStarted(entry, error));
    });
    child.on("close", (status, signal) => {
      settle(() =>
        status === 0 ? output : failed(entry, status ?? signal ?? "unknown", complaint),
      );
    });
  });
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
