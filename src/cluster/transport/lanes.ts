import type { ConnectionSettings } from "./connection-settings.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";
import { exchangeOverHttp1, Http1Connections } from "./http1-exchange.ts";
import { exchangeOverHttp2 } from "./http2-exchange.ts";
import { Http2Sessions } from "./http2-sessions.ts";
import { openConnection } from "./open-connection.ts";
import type { ApplicationProtocol, OpenConnection } from "./open-connection.ts";

/** Two are enough to keep a server busy that shares the machine; three where latency is higher. */
const mostRequestSessions = 3;
const mostStreamSessions = 16;
const mostHttp1Connections = 64;
const mostHttp1Streams = 1000;

/** Short requests and long streams have connections of their own: neither waits for the other. */
export interface Lanes {
  readonly protocol: ApplicationProtocol;
  send(lane: "requests" | "streams", request: ExchangeRequest): Promise<Exchange>;
  renew(): void;
  close(): void;
}

/** Connections to a server, by the best protocol that it has. */
export async function openLanes(server: string, settings: ConnectionSettings): Promise<Lanes> {
  const first = await openConnection(settings, ["h2", "http/1.1"]);
  return first.protocol === "h2"
    ? http2Lanes(server, settings, first)
    : http1Lanes(server, settings, first);
}

function http2Lanes(server: string, settings: ConnectionSettings, first: OpenConnection): Lanes {
  const open = (): Promise<OpenConnection> => openConnection(settings, ["h2"]);
  const requests = new Http2Sessions(server, mostRequestSessions, open);
  const streams = new Http2Sessions(server, mostStreamSessions, open);
  requests.adopt(first);
  return {
    protocol: "h2",
    send: async (lane, request) => {
      const lease = await (lane === "requests" ? requests : streams).lease();
      return exchangeOverHttp2(server, lease, request);
    },
    renew: () => {
      requests.renew();
      streams.renew();
    },
    close: () => {
      requests.close();
      streams.close();
    },
  };
}

function http1Lanes(server: string, settings: ConnectionSettings, first: OpenConnection): Lanes {
  let unused: OpenConnection | undefined = first;
  const open = (): Promise<OpenConnection> => {
    const ready = unused;
    unused = undefined;
    if (ready !== undefined && !ready.socket.destroyed) return Promise.resolve(ready);
    return openConnection(settings, ["http/1.1"]);
  };
  first.socket.on("error", () => undefined);
  let requests = new Http1Connections(mostHttp1Connections, open);
  const streams = new Http1Connections(mostHttp1Streams, open);
  return {
    protocol: "http/1.1",
    send: (lane, request) =>
      exchangeOverHttp1(server, lane === "requests" ? requests : streams, request),
    renew: () => {
      requests = new Http1Connections(mostHttp1Connections, open);
    },
    close: () => {
      unused?.socket.destroy();
      requests.destroy();
      streams.destroy();
    },
  };
}
