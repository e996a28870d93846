import { constants, createServer } from "node:http2";
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionError } from "./connection-error.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeOverHttp2 } from "./http2-exchange.ts";
import { Http2Sessions } from "./http2-sessions.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server without TLS that does what `onStream` says, and sessions to it. */
async function serving(
  onStream: (stream: ServerHttp2Stream, sessions: readonly ServerHttp2Session[]) => void,
  mostSessions = 3,
) {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => undefined);
  });
  server.on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => undefined);
    onStream(stream, sessions);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const pool = new Http2Sessions(address, mostSessions, () =>
    Promise.resolve({ socket: connect(port, "127.0.0.1"), protocol: "h2" }),
  );
  closing.push(() => {
    pool.close();
    server.close();
  });
  const send = async (): Promise<Exchange> =>
    exchangeOverHttp2(address, await pool.lease(), {
      method: "GET",
      target: "/",
      headers: {},
      started: () => undefined,
    });
  return { pool, send, sessions };
}

async function outcome(work: Promise<Exchange>): Promise<string> {
  try {
    const { status, body } = await work;
    body.resume();
    return String(status);
  } catch (error) {
    return error instanceof ConnectionError ? error.failure : String(error);
  }
}

describe("sessions", () => {
  it("are shared by many streams, and more are opened when there are many", async () => {
    const { send, sessions } = await serving((stream) =>
      stream.respond({ ":status": 200 }, { endStream: true }),
    );
    await outcome(send());
    await outcome(send());
    expect(sessions).toHaveLength(1);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcome(send())));
    expect(new Set(outcomes)).toEqual(new Set(["200"]));
    expect(sessions.length).toBeGreaterThan(1);
    expect(sessions.length).toBeLessThanOrEqual(3);
  });

  it("have a bound of streams", async () => {
    const { pool } = await serving(() => undefined, 1);
    const leases = await Promise.all(Array.from({ length: 100 }, () => pool.lease()));
    await expect(pool.lease()).rejects.toThrow("more than 100 requests at once");
    leases[0]?.release();
    (await pool.lease()).release();
  });

  it("that say goodbye finish what they have, and others are opened", async () => {
    const held: ServerHttp2Stream[] = [];
    const { send, sessions } = await serving((stream, all) => {
      held.push(stream);
      if (held.length === 1) all[0]?.goaway(constants.NGHTTP2_NO_ERROR);
      else stream.respond({ ":status": 200 }, { endStream: true });
    });
    const first = outcome(send());
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(async () => [await outcome(send()), sessions.length]).toEqual(["200", 2]);
    held[0]?.respond({ ":status": 201 }, { endStream: true });
    expect(await first).toBe("201");
  });

  it("that break fail their streams, and others are opened", async () => {
    let count = 0;
    const { send, sessions } = await serving((stream, all) => {
      if (count++ === 0) all[0]?.socket.destroy();
      else stream.respond({ ":status": 200 }, { endStream: true });
    });
    expect(await outcome(send())).toBe("reset");
    await expect.poll(() => outcome(send())).toBe("200");
    expect(sessions).toHaveLength(2);
  });
});

describe("streams", () => {
  it.each([
    [constants.NGHTTP2_REFUSED_STREAM, "refused"],
    [constants.NGHTTP2_INTERNAL_ERROR, "reset"],
    [constants.NGHTTP2_CANCEL, "reset"],
  ])("closed by the server with code %i are %s", async (code, expected) => {
    const { send } = await serving((stream) => {
      stream.close(code);
    });
    expect(await outcome(send())).toBe(expected);
  });
});
