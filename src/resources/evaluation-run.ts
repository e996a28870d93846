import { AsyncLocalStorage } from "node:async_hooks";
import { type Diagnostic, fail, type SourceRange } from "../diagnostics/index.ts";
import type { AllocationSite } from "./allocation-site.ts";
import { type AllocationMoment, AllocationOrder } from "./allocation-order.ts";
import { KnownReads } from "./known-reads.ts";
import { NameBook } from "./name-book.ts";
import type { KnownOutputs } from "./program-graph.ts";
import type { Construction } from "./provisioned/index.ts";
import type { AllocationFrame, ResourceRecord } from "./resource-record.ts";
import type { ClassValue } from "./type-token.ts";

export interface ProgramRunSettings {
  readonly env: string;
  /** Outputs that an earlier stage has made known. */
  readonly stage: KnownOutputs;
  /** Tells whether a package brings a provider. */
  readonly hasProvider: (packageName: string) => boolean;
  /** The innermost place in the program's own modules that is running. */
  readonly currentPlace: () => SourceRange | undefined;
  /** Where the provider of a package would be declared, for messages. */
  readonly manifestOf: (packageName: string) => string;
}

/** One evaluation of a program: what it allocated so far, and what is wrong with it. */
export class EvaluationRun {
  readonly settings: ProgramRunSettings;
  readonly names = new NameBook();
  readonly reads = new KnownReads();
  readonly order = new AllocationOrder();
  readonly records: ResourceRecord[] = [];
  readonly recordsByName = new Map<string, ResourceRecord>();
  readonly diagnostics: Diagnostic[] = [];
  /** The types that were found to lack a provider. */
  readonly withoutProvider = new Set<string>();
  /** When the last unnamed resource of each scope was allocated. */
  readonly moments = new Map<string, AllocationMoment>();
  readonly #frames = new AsyncLocalStorage<ConstructionFrame>();

  constructor(settings: ProgramRunSettings) {
    this.settings = settings;
  }

  /**
   * Runs a `new` of the user's code. What is allocated until it returns, and in asynchronous code
   * that it starts, is allocated by the resource that it makes.
   */
  construct<T>({ site, target }: Construction, make: () => T): T {
    const outer = this.#frames.getStore();
    return this.#frames.run({ site, target, outer, resource: undefined }, make);
  }

  /** Runs a method of a resource: what it allocates is allocated by that resource. */
  inside<T>(resource: ResourceRecord, run: () => T): T {
    const outer = this.#frames.getStore();
    return this.#frames.run({ site: undefined, target: undefined, outer, resource }, run);
  }

  /** The construction that the constructor of a class is part of, if the loader knows of it. */
  frameOf(newTarget: ClassValue): ConstructionFrame | undefined {
    const frame = this.#frames.getStore();
    return frame?.target === newTarget && frame.resource === undefined ? frame : undefined;
  }

  /** Whether the evaluation is over, so that nothing may be allocated any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }
  #isClosed = false;

  close(): void {
    this.#isClosed = true;
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }
}

export interface ConstructionFrame extends AllocationFrame {
  readonly site: AllocationSite | undefined;
  readonly target: unknown;
}

let current: EvaluationRun | undefined;

/** Makes a run the one that resources are recorded in. */
export function setCurrentRun(run: EvaluationRun): void {
  current = run;
}

/** The run that resources are recorded in. */
export function currentRun(): EvaluationRun {
  return (
    current ??
    fail({
      code: "program.outside-run",
      summary: "A resource was allocated outside of a program that Keelson evaluates",
      detail:
        "Resources are recorded while Keelson evaluates a program; on their own they do nothing.",
      hint: "Run the program with: keelson plan <file>",
    })
  );
}
