import type { Readable } from "node:stream";

/** What the engine may use of the machine that it runs on. */
export interface EngineHost {
  readonly workingDirectory: string;
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** The version of Keelson, which a Tiltfile may ask for. */
  readonly version: string;
  /** What the input `-` stands for. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The path of an input as it is opened and shown. */
  readonly pathOf: (input: string) => string;
  /** Takes what a program or a Tiltfile prints while it is read. */
  readonly print: (text: string, from: "program" | "tiltfile") => void;
}
