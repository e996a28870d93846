import type { Operation } from "../operations.ts";
import type { ProviderContext } from "../provider.ts";

/** A provider as it is run, in this process or as another one; nothing of its answers is trusted. */
export interface Backend {
  /** Where it came from, for messages. */
  readonly where: string;
  readonly operations: ReadonlySet<Operation>;
  readonly call: (
    operation: Operation,
    args: readonly unknown[],
    context: ProviderContext,
  ) => Promise<unknown>;
  /** The items of an operation that answers with many. */
  readonly stream: (
    operation: Operation,
    args: readonly unknown[],
    context: ProviderContext,
  ) => AsyncIterable<unknown>;
  readonly close: () => Promise<void>;
}

/** The process of a provider was lost while it was asked. */
export class BackendLost extends Error {
  readonly kind: "ended" | "not-started" | "too-much";
  readonly lastLines: readonly string[];

  constructor(kind: BackendLost["kind"], message: string, lastLines: readonly string[] = []) {
    super(message);
    this.name = "BackendLost";
    this.kind = kind;
    this.lastLines = lastLines;
  }
}
