/** A value of the query; undefined leaves the parameter out, an array repeats it. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;
export type Headers = Readonly<Record<string, string>>;

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path of the API, with its leading slash and without the query. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For the whole answer of `request`, for the head of the answer of `stream`. */
  readonly timeoutMs?: number | undefined;
  /** Asked before each attempt, and once more just before it is sent, which waits until it resolves. */
  readonly fence?: (() => Promise<void> | undefined) | undefined;
  /** Told once, when the request is still tried again after a second: why. */
  readonly onRetry?: ((failure: TransportFailure) => void) | undefined;
}

/** Why an attempt was in vain: what the server answered, or that it did not. */
export type TransportFailure =
  | { readonly kind: "answer"; readonly answer: TransportAnswer }
  | { readonly kind: "error"; readonly error: unknown };

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly text: string;
}

/** An answer that goes on for long: a watch or a followed log. Leaving the loop cancels it. */
export interface TransportStream {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A connection for messages both ways, as exec and port-forward use it. */
export interface MessageSocket {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  /** Resolves when the message has left, which gives senders back-pressure. */
  send(message: Uint8Array): Promise<void>;
  /** Ends when the other side closes. */
  readonly messages: AsyncIterable<Uint8Array>;
  close(): void;
}

/**
 * How requests reach an API server. Over the network it is HTTP; the embedded API server implements
 * the same interface without a connection. Every HTTP status is an answer, not an error: only a
 * request that got no answer throws.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportAnswer>;
  stream(request: TransportRequest): Promise<TransportStream>;
  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket>;
  /** Ends all connections; what is under way fails. */
  close(): Promise<void>;
}

/** Path and query as one string. */
export function requestTarget({ path, query }: Pick<TransportRequest, "path" | "query">): string {
  const text = queryParameters(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

export function queryParameters(query: Query = {}): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === "object") for (const each of value) parameters.append(name, each);
    else parameters.append(name, String(value));
  }
  return parameters;
}
