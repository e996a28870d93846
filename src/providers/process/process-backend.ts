import { DiagnosticError, fail } from "../../diagnostics/index.ts";
import {
  type Operation,
  operationParameters,
  operations,
  requiredOperations,
} from "../operations.ts";
import type { ProviderContext } from "../provider.ts";
import { durationText } from "../timeouts.ts";
import { type Backend, BackendLost } from "../run/backend.ts";
import { kindOf } from "../run/json-problem.ts";
import { LineQueue } from "./line-queue.ts";
import { type RpcCommand, RpcProcess } from "./rpc-process.ts";

export interface ProcessBackendOptions extends RpcCommand {
  readonly packageName: string;
  readonly where: string;
  readonly loadMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A provider that is another process, started again whenever it was lost. */
export async function openProcessBackend(options: ProcessBackendOptions): Promise<Backend> {
  let current: RpcProcess | undefined;
  const all = new Set<RpcProcess>();
  const running = (): RpcProcess => {
    if (current?.isUsable === true) return current;
    current = new RpcProcess(options);
    for (const each of all) if (each.hasEnded) all.delete(each);
    all.add(current);
    return current;
  };
  const close = async (): Promise<void> => {
    await Promise.all([...all].map((each) => each.end()));
  };
  let known: ReadonlySet<Operation>;
  try {
    known = await askOperations(running(), options);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    where: options.where,
    operations: known,
    call: (operation, args, context) =>
      running().request({
        method: operation,
        params: paramsOf(operation, args, context),
        signal: context.signal,
        log: context.log,
      }),
    stream: (operation, args, context) => {
      const lines = new LineQueue();
      running()
        .request({
          method: operation,
          params: paramsOf(operation, args, context),
          signal: context.signal,
          log: context.log,
          onLine: (line) => {
            lines.push(line);
          },
        })
        .then(
          () => {
            lines.end();
          },
          (error: unknown) => {
            lines.end(error instanceof Error ? error : new Error(String(error)));
          },
        );
      return lines;
    },
    close,
  };
}

function paramsOf(
  operation: Operation,
  args: readonly unknown[],
  { type, name, outputs }: ProviderContext,
): Readonly<Record<string, unknown>> {
  const named = operationParameters[operation].map((parameter, index) => [parameter, args[index]]);
  return { ...Object.fromEntries(named), context: { type, name, outputs } };
}

/** The first call to every process: it proves that the protocol is spoken. */
async function askOperations(
  rpc: RpcProcess,
  options: ProcessBackendOptions,
): Promise<ReadonlySet<Operation>> {
  const provider = `the provider of the package ${JSON.stringify(options.packageName)}`;
  const printed: string[] = [];
  const timeout = AbortSignal.timeout(options.loadMs);
  const signal =
    options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => {
    aborted.reject(new Error("aborted"));
  });
  let answer: unknown;
  try {
    const log = (line: string): void => {
      if (printed.length < 20) printed.push(line);
    };
    const asked = rpc.request({ method: "operations", params: {}, signal, log });
    answer = await Promise.race([asked, aborted.promise]);
  } catch (error) {
    const why =
      error instanceof BackendLost
        ? error.message
        : timeout.aborted
          ? `did not say what it can do within ${durationText(options.loadMs)}`
          : signal.aborted
            ? "was interrupted while it started"
            : `refused to say what it can do: ${(error as Error).message}`;
    const lines = error instanceof BackendLost ? error.lastLines : printed;
    throw new DiagnosticError([
      {
        code: "provider.not-started",
        severity: "error",
        summary: `${provider} ${why}`,
        detail: [options.where, ...lines.map((line) => `| ${line}`)].join("\n"),
        hint: 'it must answer the call "operations" with the list of what it can do',
        cause: error,
      },
    ]);
  }
  const names: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const missing = requiredOperations.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !operations.some((known) => known === name));
  if (missing.length > 0 || unknown.length > 0) {
    fail({
      code: "provider.invalid",
      summary: `${provider} is not one`,
      detail: [
        `asked ${options.where} for its operations`,
        ...(Array.isArray(answer) ? [] : [`found ${kindOf(answer)}, not a list of operations`]),
        ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
        ...unknown.map((name) => `unknown: ${JSON.stringify(name)}`),
      ].join("\n"),
      hint: `operations are ${operations.join(", ")}`,
    });
  }
  return new Set(operations.filter((name) => names.includes(name)));
}
