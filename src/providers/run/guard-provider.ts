import type { Operation } from "../operations.ts";
import type { Provider, ProviderContext } from "../provider.ts";
import type { ProviderTimeouts } from "../timeouts.ts";
import type { Backend } from "./backend.ts";
import type { CallPlace } from "./call-place.ts";
import { guardedCall } from "./guarded-call.ts";
import { guardedLog } from "./guarded-stream.ts";
import {
  readCreated,
  readDiff,
  readFound,
  readOutputs,
  readOutputsOrNothing,
  readProblems,
  readStats,
} from "./read-answer.ts";

export interface GuardOptions {
  readonly packageName: string;
  readonly timeouts: ProviderTimeouts;
  /** Aborted when the whole host is to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** A provider whose calls end in time, whose answers have the right shape, whose errors are diagnostics. */
export function guardProvider(backend: Backend, options: GuardOptions): Provider {
  const { packageName, timeouts } = options;
  const placeOf = (operation: Operation, { name }: ProviderContext): CallPlace => ({
    operation,
    packageName,
    where: backend.where,
    name,
  });
  const withSignal = (context: ProviderContext): ProviderContext =>
    options.signal === undefined
      ? context
      : { ...context, signal: AbortSignal.any([context.signal, options.signal]) };

  async function ask<T>(
    operation: Operation,
    args: readonly unknown[],
    context: ProviderContext,
    read: (answer: unknown, place: CallPlace) => T,
  ): Promise<T> {
    const place = placeOf(operation, context);
    return read(await guardedCall(backend, place, args, withSignal(context), timeouts), place);
  }

  const all: Required<Provider> = {
    create: (inputs, context) => ask("create", [inputs], context, readCreated),
    read: (id, context) => ask("read", [id], context, readOutputsOrNothing),
    update: (id, oldInputs, newInputs, context) =>
      ask("update", [id, oldInputs, newInputs], context, readOutputs),
    delete: (id, context) => ask("delete", [id], context, () => {}),
    check: (inputs, context) => ask("check", [inputs], context, readProblems),
    diff: (oldInputs, newInputs, context) => ask("diff", [oldInputs, newInputs], context, readDiff),
    find: (inputs, context) => ask("find", [inputs], context, readFound),
    fetchLog: (id, options, context) =>
      guardedLog(backend, placeOf("fetchLog", context), id, options, withSignal(context), timeouts),
    fetchStats: (id, context) => ask("fetchStats", [id], context, readStats),
  };
  const has = (operation: Operation): boolean => backend.operations.has(operation);
  const { create, read, update, delete: remove } = all;
  return {
    create,
    read,
    update,
    delete: remove,
    ...(has("check") ? { check: all.check } : {}),
    ...(has("diff") ? { diff: all.diff } : {}),
    ...(has("find") ? { find: all.find } : {}),
    ...(has("fetchLog") ? { fetchLog: all.fetchLog } : {}),
    ...(has("fetchStats") ? { fetchStats: all.fetchStats } : {}),
  };
}
