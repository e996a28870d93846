import { type Operation, operationParameters } from "../operations.ts";
import type { ProviderContext } from "../provider.ts";
import type { Backend } from "../run/backend.ts";
import { askOperations } from "./ask-operations.ts";
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
    known = await askOperations(running, options);
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
