import { DiagnosticError, fail } from "../../diagnostics/index.ts";
import { type Operation, operations, requiredOperations } from "../operations.ts";
import { BackendLost } from "../run/backend.ts";
import { kindInWords } from "../run/json-problem.ts";
import { durationText } from "../timeouts.ts";
import type { RpcProcess } from "./rpc-process.ts";

export interface AskOptions {
  readonly packageName: string;
  readonly where: string;
  readonly loadMs: number;
  readonly signal?: AbortSignal | undefined;
}

const mostLinesShown = 20;

/** The first call to a provider: it proves that the protocol is spoken. */
export async function askOperations(
  running: () => RpcProcess,
  options: AskOptions,
): Promise<ReadonlySet<Operation>> {
  const printed: string[] = [];
  const log = (line: string): void => {
    if (printed.length < mostLinesShown) printed.push(line);
  };
  const timeout = AbortSignal.timeout(options.loadMs);
  const signal =
    options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => {
    aborted.reject(new Error("aborted"));
  });
  try {
    signal.throwIfAborted();
    const asked = running().request({ method: "operations", params: {}, signal, log });
    return readOperations(await Promise.race([asked, aborted.promise]), options);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const isCancelled = signal.aborted && !timeout.aborted;
    const lines = error instanceof BackendLost ? error.lastLines : printed;
    return fail({
      code: isCancelled ? "provider.cancelled" : "provider.not-started",
      summary: `${titleOf(options)} ${isCancelled ? "was interrupted while it started" : reason(error, timeout, options)}`,
      detail: [options.where, ...lines.map((line) => `| ${line}`)].join("\n"),
      hint: isCancelled
        ? undefined
        : 'it must answer the call "operations" with the list of what it can do',
      cause: error,
    });
  }
}

function reason(error: unknown, timeout: AbortSignal, { loadMs }: AskOptions): string {
  if (error instanceof BackendLost) return error.message;
  if (timeout.aborted) return `did not say what it can do within ${durationText(loadMs)}`;
  return `refused to say what it can do: ${(error as Error).message}`;
}

function readOperations(answer: unknown, options: AskOptions): ReadonlySet<Operation> {
  const names: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const missing = requiredOperations.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !operations.some((known) => known === name));
  if (missing.length > 0 || unknown.length > 0) {
    fail({
      code: "provider.invalid",
      summary: `${titleOf(options)} is not one`,
      detail: [
        `asked ${options.where} for its operations`,
        ...(Array.isArray(answer)
          ? []
          : [`found ${kindInWords(answer)}, not a list of operations`]),
        ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
        ...unknown.map((name) => `unknown: ${JSON.stringify(name)}`),
      ].join("\n"),
      hint: `operations are ${operations.join(", ")}`,
    });
  }
  return new Set(operations.filter((name) => names.includes(name)));
}

function titleOf({ packageName }: AskOptions): string {
  return `the provider of the package ${JSON.stringify(packageName)}`;
}
