import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pageJson } from "./page-json.ts";

const heartbeatMs = 15_000;
const mostWaitingBytes = 4 * 1024 * 1024;

/** Server-Sent Events to one page. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.flushHeaders();
    // Without a sign of life nobody notices that the other side is gone.
    this.#heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
    response.on("close", () => {
      clearInterval(this.#heartbeat);
      onClose();
    });
  }

  /** Sends; resolves when there is room for more. */
  async send(event: string, data: unknown): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    // A page that does not read is let go: it begins anew with a snapshot.
    if (response.writableLength > mostWaitingBytes) {
      response.destroy();
      return;
    }
    const hasRoom = response.write(
      `event: ${event}\ndata: ${pageJson(data, { isLog: event === "lines" })}\n\n`,
    );
    if (!hasRoom) await roomIn(response);
  }
}

/** Resolves when more can be written, or nothing ever will; leaves no listener behind. */
async function roomIn(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    settled.abort();
  }
}
