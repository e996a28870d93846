import type { PodConnection } from "../connections/pod-connection.ts";
import type { ImpersonatedUser } from "./authorization/impersonate.ts";

/** One request, free of any transport. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly body: string;
  readonly user: User;
  /** Whom the user wants to be taken for. */
  readonly impersonation?: ImpersonatedUser | undefined;
}

export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The answer: all at once, a stream of pieces as long as the client listens, or talk both ways. */
export type ApiResponse = CompleteResponse | StreamResponse | ConnectionResponse;

export interface CompleteResponse {
  readonly kind: "complete";
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StreamResponse {
  readonly kind: "stream";
  readonly status: number;
  readonly contentType: string;
  /** Begins to send; returns how to stop when the client has gone. */
  readonly start: (sink: StreamSink) => () => void;
}

export interface StreamSink {
  /** Text, or bytes of a form that is no text. */
  readonly write: (piece: string | Uint8Array) => void;
  readonly end: () => void;
  /** Bytes that the client has not taken yet. */
  readonly backlog: () => number;
}

/** For a client that asked to change the protocol; anybody else is refused. */
export interface ConnectionResponse {
  readonly kind: "connection";
  readonly connection: PodConnection;
}
