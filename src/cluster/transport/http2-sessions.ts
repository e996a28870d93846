import { connect as connectHttp2 } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { closedError, ConnectionError } from "./connection-error.ts";
import type { OpenConnection } from "./open-connection.ts";

/** Streams on one session; servers allow at least this many. */
export const streamsPerSession = 100;

/** From this many streams on a further session is opened, so that one connection is no bottleneck. */
const streamsToSpread = 24;

/** The defaults of HTTP/2 make a large list wait for a round trip every 64 KB. */
const streamWindowBytes = 2 * 1024 * 1024;
const sessionWindowBytes = 16 * 1024 * 1024;
/** Node would otherwise refuse streams of a session that holds more than 10 MB. */
const mostSessionMegabytes = 1024;

const pingEveryMs = 20_000;
const pingTimeoutMs = 15_000;

interface PooledSession {
  readonly session: ClientHttp2Session;
  streams: number;
  /** The server said that it takes no further streams. */
  draining: boolean;
}

/** A stream's place on a session. `release` must be called exactly once. */
export interface SessionLease {
  readonly session: ClientHttp2Session;
  release(): void;
}

/**
 * A few HTTP/2 sessions to one server. Sessions that die are replaced when next needed; a session
 * that no longer answers pings is ended, so that watches notice a connection that silently broke.
 */
export class Http2Sessions {
  readonly #server: string;
  readonly #open: () => Promise<OpenConnection>;
  readonly #mostSessions: number;
  readonly #sessions = new Set<PooledSession>();
  #opening: Promise<PooledSession> | undefined;
  #closed = false;

  constructor(server: string, mostSessions: number, open: () => Promise<OpenConnection>) {
    this.#server = server;
    this.#mostSessions = mostSessions;
    this.#open = open;
  }

  /** A place on the session with the fewest streams. */
  async lease(): Promise<SessionLease> {
    const pooled = this.#leastUsed();
    if (pooled === undefined || pooled.streams >= streamsPerSession) {
      if (pooled !== undefined && this.#sessions.size >= this.#mostSessions) {
        throw new ConnectionError("refused", {
          summary: `more than ${this.#mostSessions * streamsPerSession} requests at once to ${this.#server}`,
        });
      }
      await this.#openShared();
      return this.lease();
    }
    if (pooled.streams >= streamsToSpread && this.#sessions.size < this.#mostSessions) {
      // The present session still has places: nobody needs to wait, nor to hear of a failure.
      this.#openShared().catch(() => undefined);
    }
    pooled.streams++;
    let released = false;
    return {
      session: pooled.session,
      release: () => {
        if (released) return;
        released = true;
        pooled.streams--;
        if (pooled.draining && pooled.streams === 0) pooled.session.close();
      },
    };
  }

  /** Takes in a connection that was opened to learn what the server speaks. */
  adopt(connection: OpenConnection): void {
    this.#add(connection);
  }

  /** Lets present streams finish on the old sessions and opens new ones for later streams. */
  renew(): void {
    for (const pooled of this.#sessions) {
      pooled.draining = true;
      if (pooled.streams === 0) pooled.session.close();
    }
  }

  close(): void {
    this.#closed = true;
    for (const { session } of this.#sessions) session.destroy();
    this.#sessions.clear();
  }

  #leastUsed(): PooledSession | undefined {
    let best: PooledSession | undefined;
    for (const pooled of this.#sessions) {
      if (pooled.draining || pooled.session.closed || pooled.session.destroyed) continue;
      if (best === undefined || pooled.streams < best.streams) best = pooled;
    }
    return best;
  }

  #openShared(): Promise<PooledSession> {
    this.#opening ??= this.#open()
      .then((connection) => this.#add(connection))
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  #add({ socket }: OpenConnection): PooledSession {
    if (this.#closed) {
      socket.destroy();
      throw closedError(this.#server);
    }
    const session = connectHttp2(this.#server, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory: mostSessionMegabytes,
    });
    const pooled: PooledSession = { session, streams: 0, draining: false };
    this.#sessions.add(pooled);
    session.once("connect", () => {
      if (!session.destroyed) session.setLocalWindowSize(sessionWindowBytes);
    });
    const pings = setInterval(() => {
      ping(pooled);
    }, pingEveryMs).unref();
    // Streams report the failure themselves; the event must only not be left without a listener.
    session.on("error", () => undefined);
    session.on("goaway", () => {
      pooled.draining = true;
    });
    session.on("close", () => {
      clearInterval(pings);
      this.#sessions.delete(pooled);
    });
    return pooled;
  }
}

function ping({ session, streams }: PooledSession): void {
  if (streams === 0 || session.destroyed || session.closed) return;
  const late = setTimeout(() => {
    session.destroy(Object.assign(new Error("no answer to a ping"), { code: "ETIMEDOUT" }));
  }, pingTimeoutMs).unref();
  const sent = session.ping(() => {
    clearTimeout(late);
  });
  if (!sent) clearTimeout(late);
}
