import type { KubernetesObject } from "../../src/objects/index.ts";
import type { Call, Line } from "./line.ts";
import type { Part } from "./parts.ts";

/** Every way by which desired state comes into a cluster. */
export const ways = [
  "yaml",
  "stdin",
  "program",
  "tiltfile",
  "bundle by command",
  "bundle by controller",
  "supply chain by controller",
  "up",
] as const;

export type Way = (typeof ways)[number];

export const servers = ["sandbox", "real control plane"] as const;

export type ServerName = (typeof servers)[number];

/** How a run ended: a command with code 0, an owner that is Ready, a dev loop whose components are ok. */
export interface Outcome {
  readonly isFine: boolean;
  /** Everything that was said so far, by this run and those before. */
  readonly text: string;
}

export interface ApplyOptions {
  /** Take objects that belong to nobody. */
  readonly adopts?: boolean;
  /** Take fields that somebody else has set. */
  readonly forces?: boolean;
  /** How long to wait for objects to become ready, where the way has a limit. */
  readonly readyWithinMs?: number;
}

/** One way in, for one cell: it has a namespace, a line to the server and what it applied to itself. */
export interface WayIn {
  readonly line: Line;
  /** Brings the cluster to these parts; resolves when the run has come to rest, whether it went well or not. */
  readonly apply: (parts: readonly Part[], options?: ApplyOptions) => Promise<Outcome>;
  /** One more look at the same parts: a command is run again, a controller notices by itself. */
  readonly again: (options?: ApplyOptions) => Promise<Outcome>;
  /** Deletes all that it applied. */
  readonly destroy: () => Promise<Outcome>;
  /** Everything that it has said so far: output, status, Events, log. */
  readonly reported: () => Promise<string>;
  /** What it keeps of former runs. */
  readonly history: () => Promise<string>;
  /** The Lease that lets one writer at a time. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Whether an object says that it belongs to this way. */
  readonly owns: (object: KubernetesObject) => boolean;
  /** Whether a call writes what is to be applied, and not what the way keeps of itself. */
  readonly isOwnWrite: (call: Call) => boolean;
  readonly close: () => Promise<void>;
}
