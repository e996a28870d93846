import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { ConnectionSettings } from "../../src/cluster/index.ts";

/** One request that arrived, before the server has seen it. */
export interface Call {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly atMs: number;
}

/** Looks at each call first; it may wait, and may have it answered with a status of its own. */
export type Intercept = (call: Call) => Promise<Refusal | undefined> | Refusal | undefined;

export type Refusal = 403 | 404 | 500 | 503;

const reasons = {
  403: "Forbidden",
  404: "NotFound",
  500: "InternalError",
  503: "ServiceUnavailable",
} as const;

/** The text of every answer that a test makes up. */
export const madeUp = "made up by the test";

/**
 * A proxy between one way in and an API server: it knows all calls that were made, can spoil them, and can
 * hide API groups. Who has no credentials of its own is the administrator.
 */
export class Line {
  readonly url: string;
  readonly calls: Call[] = [];
  intercept: Intercept = () => undefined;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #sockets: Set<Socket>;

  static async open(settings: ConnectionSettings, hides: readonly string[] = []): Promise<Line> {
    const certificate = await settings.credentials.certificate();
    const agent = new Agent({
      keepAlive: true,
      rejectUnauthorized: !settings.skipTlsVerify,
      ...(settings.certificateAuthority === undefined ? {} : { ca: settings.certificateAuthority }),
      ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
    });
    const authorization = await settings.credentials.authorization();
    const sockets = new Set<Socket>();
    let serve = (_request: IncomingMessage, _response: ServerResponse): void => undefined;
    const server = createServer((request, response) => {
      serve(request, response);
    });
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const line = new Line(`http://127.0.0.1:${port}`, server, agent, sockets);
    serve = (request, response) => {
      line.#serve(request, response, { server: settings.server, authorization, hides }).catch(() =>
        response.destroy(),
      );
    };
    return line;
  }

  private constructor(url: string, server: Server, agent: Agent, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#agent = agent;
    this.#sockets = sockets;
  }

  /** How long ago the last call was, but for those that keep a Lease. */
  idleMs(): number {
    const last = this.calls.findLast(({ path }) => !path.includes("/leases"));
    return Date.now() - (last?.atMs ?? 0);
  }

  close(): Promise<void> {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    upstream: {
      readonly server: string;
      readonly authorization: string | undefined;
      readonly hides: readonly string[];
    },
  ): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const [path = "", query = ""] = url.split("?");
    const call = { method, path, query, atMs: Date.now() };
    this.calls.push(call);
    const body = await bytesOf(request);
    const refusal = await this.intercept(call);
    if (refusal !== undefined) {
      answer(response, refusal);
      return;
    }
    if (upstream.hides.some((group) => path.startsWith(`/apis/${group}`))) {
      answer(response, 404);
      return;
    }
    const { "if-none-match": _tag, ...headers } = request.headers;
    const isFiltered = path === "/apis" && upstream.hides.length > 0;
    const forwarded = requestHttps(
      new URL(url, upstream.server),
      {
        method,
        agent: this.#agent,
        headers: {
          ...(isFiltered ? headers : request.headers),
          host: new URL(upstream.server).host,
          ...(headers.authorization === undefined && upstream.authorization !== undefined
            ? { authorization: upstream.authorization }
            : {}),
        },
      },
      (incoming) => {
        if (isFiltered) {
          void filtered(incoming, response, upstream.hides);
          return;
        }
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        // A client waits for the headers of a watch, and the first event may come much later.
        response.flushHeaders();
        incoming.pipe(response);
        incoming.on("error", () => response.destroy());
      },
    );
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    forwarded.end(body);
  }
}

/** Whether a call writes; Leases, tokens and Events do not count. */
export function isWrite({ method, path }: Call): boolean {
  return method !== "GET" && !/\/(?:leases|token|events|selfsubject\w+)(?:\/|$)/.test(path);
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, code: Refusal): void {
  const reason = reasons[code];
  response.writeHead(code, { "content-type": "application/json" });
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason, code };
  response.end(JSON.stringify({ ...status, message: `${madeUp}: ${reason}` }));
}

/** What a server serves, without some groups. */
async function filtered(
  incoming: IncomingMessage,
  response: ServerResponse,
  hides: readonly string[],
): Promise<void> {
  const found = JSON.parse((await bytesOf(incoming)).toString("utf8")) as {
    readonly items?: readonly { readonly metadata: { readonly name: string } }[];
    readonly groups?: readonly { readonly name: string }[];
  };
  const { etag: _etag, "content-length": _length, ...headers } = incoming.headers;
  response.writeHead(incoming.statusCode ?? 502, headers);
  response.end(
    JSON.stringify({
      ...found,
      ...(found.items === undefined
        ? {}
        : { items: found.items.filter(({ metadata }) => !hides.includes(metadata.name)) }),
      ...(found.groups === undefined
        ? {}
        : { groups: found.groups.filter(({ name }) => !hides.includes(name)) }),
    }),
  );
}
