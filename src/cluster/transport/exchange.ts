import type { Readable } from "node:stream";
import type { Headers } from "./transport.ts";

/** Headers as they are sent; an array repeats the header. */
export type OutgoingHeaders = Readonly<Record<string, string | string[]>>;

/** A request as it goes out: target and headers are complete. */
export interface ExchangeRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: OutgoingHeaders;
  readonly body?: string | undefined;
  /** Called as soon as the request can be cancelled, which is before its answer arrives. */
  readonly started: (cancel: () => void) => void;
}

/** An answer whose head has arrived. */
export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Whether the body that has ended is the whole body. */
  readonly complete: () => boolean;
}
