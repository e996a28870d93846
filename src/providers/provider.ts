import type { JsonObject } from "../json/index.ts";

/** What every operation is told beside its own arguments. */
export interface ProviderContext {
  /** The fully qualified type of the resource: `<package>:<module>/<Class>`. */
  readonly type: string;
  /** The name of the resource, unique and stable. */
  readonly name: string;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Says something to the user while the operation runs. */
  readonly log: (line: string) => void;
  /** What was last recorded of the resource, where there is a record. */
  readonly outputs?: JsonObject | undefined;
  /** How long this one call may take; what the operation may take in general when left out. */
  readonly timeoutMs?: number | undefined;
}

/** What was made: the id by which its own system knows it, and what it says of it. */
export interface Created {
  readonly id: string;
  readonly outputs: JsonObject;
  /** Names of outputs whose values are never shown or stored in the open. */
  readonly secrets?: readonly string[];
}

/** How a change of inputs can be carried out. */
export interface InputDiff {
  /** Names of inputs that differ in a way that matters. */
  readonly changes: readonly string[];
  /** Names among them that cannot be changed in place. */
  readonly replace: readonly string[];
  /** Two cannot exist at once: the old one must go first. */
  readonly deleteBeforeReplace?: boolean;
}

export interface ResourceLogOptions {
  readonly follow: boolean;
  /** Milliseconds since 1970; everything when left out. */
  readonly sinceMs?: number | undefined;
}

/** One line that a resource logged. */
export interface LogLine {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly timeMs?: number | undefined;
}

/** One number over time. */
export interface Stat {
  readonly name: string;
  readonly unit: string;
  /** The newest last; milliseconds since 1970. */
  readonly points: readonly { readonly timeMs: number; readonly value: number }[];
}

/** Makes, reads, changes and removes the resources of one package. */
export interface Provider {
  readonly create: (inputs: JsonObject, context: ProviderContext) => Promise<Created>;
  /** Undefined when it is certainly not there; throws when that cannot be told. */
  readonly read: (id: string, context: ProviderContext) => Promise<JsonObject | undefined>;
  readonly update: (
    id: string,
    oldInputs: JsonObject,
    newInputs: JsonObject,
    context: ProviderContext,
  ) => Promise<JsonObject>;
  readonly delete: (id: string, context: ProviderContext) => Promise<void>;
  /** What is wrong with inputs, in words; nothing when they are fine. */
  readonly check?: (inputs: JsonObject, context: ProviderContext) => Promise<readonly string[]>;
  readonly diff?: (
    oldInputs: JsonObject,
    newInputs: JsonObject,
    context: ProviderContext,
  ) => Promise<InputDiff>;
  /** Looks for what an interrupted create may have made. Without it the user is asked. */
  readonly find?: (inputs: JsonObject, context: ProviderContext) => Promise<Created | undefined>;
  readonly fetchLog?: (
    id: string,
    options: ResourceLogOptions,
    context: ProviderContext,
  ) => AsyncIterable<LogLine>;
  readonly fetchStats?: (id: string, context: ProviderContext) => Promise<readonly Stat[]>;
}

/** Opens providers by the names of their packages, each once, and closes them all. */
export interface ProviderHost {
  /** Finds and starts a provider; rejects at once when the signal is aborted meanwhile. */
  readonly provider: (packageName: string, signal?: AbortSignal) => Promise<Provider>;
  readonly close: () => Promise<void>;
}
