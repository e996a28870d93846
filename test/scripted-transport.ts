import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "../src/cluster/transport/transport.ts";
import { requestTarget } from "../src/cluster/transport/transport.ts";

/** What a scripted server answers: a status with a JSON body, or lines of JSON for streams. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly lines?: readonly unknown[] | AsyncIterable<unknown>;
}

/** Stands in for a server in tests of failures that a real one cannot be made to have. */
export class ScriptedTransport implements Transport {
  /** `GET /api/v1/pods?limit=1`, in the order of the requests. */
  readonly log: string[] = [];
  readonly #script: (request: TransportRequest, number: number) => ScriptedAnswer | Error;
  readonly #socketMessages: readonly Uint8Array[];

  constructor(
    script: (request: TransportRequest, number: number) => ScriptedAnswer | Error,
    socketMessages: readonly Uint8Array[] = [],
  ) {
    this.#script = script;
    this.#socketMessages = socketMessages;
  }

  request(request: TransportRequest): Promise<TransportAnswer> {
    return this.#answer(request).then(({ status = 200, headers = {}, json = {} }) => ({
      status,
      headers,
      text: typeof json === "string" ? json : JSON.stringify(json),
    }));
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#answer(request).then(({ status = 200, headers = {}, json, lines = [] }) => ({
      status,
      headers,
      body: bytes(json === undefined ? lines : [json]),
    }));
  }

  openSocket(request: TransportRequest): Promise<MessageSocket> {
    return this.#answer(request).then(() => ({
      protocol: "v5.channel.k8s.io",
      send: () => Promise.resolve(),
      messages: each(this.#socketMessages),
      close: () => undefined,
    }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(request: TransportRequest): Promise<ScriptedAnswer> {
    this.log.push(`${request.method} ${decodeURIComponent(requestTarget(request))}`);
    const answer = this.#script(request, this.log.length - 1);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

async function* bytes(
  lines: readonly unknown[] | AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array> {
  for await (const line of lines) {
    if (line instanceof Error) throw line;
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Discovery of a server that serves only ConfigMaps and Pods. */
export function scriptedDiscovery({ path }: TransportRequest): ScriptedAnswer | undefined {
  const resource = (kind: string) => ({
    resource: `${kind.toLowerCase()}s`,
    responseKind: { kind },
    scope: "Namespaced",
    verbs: ["get", "list", "watch"],
  });
  const core = { version: "v1", resources: [resource("ConfigMap"), resource("Pod")] };
  if (path === "/api") {
    return { json: { kind: "APIGroupDiscoveryList", items: [{ versions: [core] }] } };
  }
  return path === "/apis" ? { json: { kind: "APIGroupDiscoveryList", items: [] } } : undefined;
}

/** A clock that only moves when somebody sleeps; the delays are kept. */
export function scriptedTiming(): {
  readonly delays: number[];
  readonly timing: {
    now(): number;
    random(): number;
    sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  };
} {
  const delays: number[] = [];
  let nowMs = 0;
  return {
    delays,
    timing: {
      now: () => nowMs,
      random: () => 1,
      sleep: (delayMs, signal) => {
        signal?.throwIfAborted();
        delays.push(delayMs);
        nowMs += delayMs;
        return Promise.resolve();
      },
    },
  };
}
