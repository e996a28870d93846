import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { answerRequest, largestBody } from "../api/handle-request.ts";
import { statusResponse } from "../api/status-response.ts";
import type { ApiContext } from "../api/api-context.ts";
import type {
  ApiRequest,
  CompleteResponse,
  ConnectionResponse,
  StreamResponse,
  User,
} from "../api/request.ts";
import { StatusError, badRequest, tooLarge, unauthorized } from "../api/status.ts";
import { readImpersonation } from "../api/authorization/read-impersonation.ts";
import { readBodyText } from "./read-text.ts";
import type { UpgradeRequest } from "./upgrade.ts";
import type { Certificates } from "./certificate.ts";

export interface HttpServerOptions {
  readonly certificates: Certificates;
  /** Who a bearer token belongs to. */
  readonly authenticate: (token: string) => User | undefined;
  /** 0 takes any free port. */
  readonly port: number;
}

export interface RunningServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

type Incoming = Http2ServerRequest | IncomingMessage;
type Outgoing = Http2ServerResponse | ServerResponse;

/** Serves the API over TLS on loopback only, by HTTP/2 and HTTP/1.1. */
export async function startHttpServer(
  context: ApiContext,
  options: HttpServerOptions,
): Promise<RunningServer> {
  const { certificates } = options;
  const server = createSecureServer({
    cert: certificates.certificate,
    key: certificates.key,
    allowHTTP1: true,
  });
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {
      // The client has gone; its streams end by their own close events.
    });
  });
  server.on("sessionError", () => {
    // A client broke the protocol; its session is closed and nobody else is concerned.
  });
  server.on("request", (incoming: Incoming, outgoing: Outgoing) => {
    void serve(context, options, incoming, outgoing);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => undefined);
    void serveUpgrade(context, options, { incoming, socket, head });
  });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Http2SecureServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function serve(
  context: ApiContext,
  options: HttpServerOptions,
  incoming: Incoming,
  outgoing: Outgoing,
  upgrade?: UpgradeRequest,
): Promise<void> {
  incoming.on("error", () => {
    // Half-closed or reset by the client: there is nobody left to answer.
  });
  outgoing.on("error", () => {
    // As above.
  });
  const head = readHead(incoming);
  if (!isLoopback(head.host)) {
    respond(
      outgoing,
      statusResponse(badRequest(`the host ${JSON.stringify(head.host)} is not this server`)),
    );
    return;
  }
  const user = options.authenticate(head.token) ?? (isOpenPath(head.path) ? anonymous : undefined);
  if (user === undefined) {
    respond(outgoing, statusResponse(unauthorized()));
    return;
  }
  const bytes = await readBody(incoming);
  if (bytes === undefined) {
    respond(outgoing, statusResponse(tooLarge(largestBody)));
    return;
  }
  const body = await readBodyText(bytes, head.contentType);
  if (body instanceof StatusError) {
    respond(outgoing, statusResponse(body));
    return;
  }
  const request: ApiRequest = {
    method: incoming.method ?? "GET",
    path: head.path,
    query: head.query,
    accept: head.accept,
    contentType: body.contentType,
    userAgent: head.userAgent,
    body: body.text,
    user,
    impersonation: readImpersonation(incoming.headers),
  };
  const response = await answerRequest(context, request);
  if (response.kind === "connection") await connect(response, outgoing, upgrade);
  else respond(outgoing, response, request.method === "HEAD");
}

/** Few sandboxes are ever asked for another protocol; all start faster without knowing it. */
async function serveUpgrade(
  context: ApiContext,
  options: HttpServerOptions,
  upgrade: UpgradeRequest,
): Promise<void> {
  const { plainAnswer } = await import("./upgrade.ts");
  await serve(context, options, upgrade.incoming, plainAnswer(upgrade), upgrade);
}

async function connect(
  { connection }: ConnectionResponse,
  outgoing: Outgoing,
  upgrade: UpgradeRequest | undefined,
): Promise<void> {
  if (upgrade === undefined) {
    respond(outgoing, statusResponse(badRequest("Upgrade request required")));
    return;
  }
  const { acceptUpgrade, plainAnswer } = await import("./upgrade.ts");
  (outgoing as ServerResponse).detachSocket(upgrade.socket);
  const refusal = acceptUpgrade(upgrade, connection);
  if (refusal !== undefined) respond(plainAnswer(upgrade), statusResponse(refusal));
}

const anonymous: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

function isOpenPath(path: string): boolean {
  return (
    path === "/version" ||
    path.startsWith("/healthz") ||
    path.startsWith("/livez") ||
    path.startsWith("/readyz")
  );
}

interface Head {
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
}

function readHead({ headers, url = "/" }: Incoming): Head {
  const text = (name: string): string => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? "");
  };
  const [path = "/", query = ""] = url.split(/\?(.*)/s);
  return {
    host: text(":authority") || text("host"),
    path,
    query: new URLSearchParams(query),
    token: /^Bearer\s+(.+)$/i.exec(text("authorization"))?.[1] ?? "",
    accept: text("accept"),
    contentType: text("content-type"),
    userAgent: text("user-agent"),
  };
}

/** A page of another origin that resolves to loopback must not reach the API. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\]|kubernetes(?:\.default(?:\.svc)?)?)(?::\d+)?$/i.test(
    host,
  );
}

/** The body; undefined when it is larger than any object may be. */
async function readBody(incoming: Incoming): Promise<Buffer | undefined> {
  if (incoming.method === "GET" || incoming.method === "HEAD") return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBody) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}

function respond(
  outgoing: Outgoing,
  response: CompleteResponse | StreamResponse,
  isHead = false,
): void {
  if (outgoing.destroyed || outgoing.writableEnded) return;
  const headers: Record<string, string | string[]> = {
    "content-type": response.contentType,
    "cache-control": "no-cache, private",
  };
  if (response.kind === "complete") {
    Object.assign(headers, response.headers);
    if (response.warnings !== undefined && response.warnings.length > 0)
      headers["warning"] = response.warnings.map(warningHeader);
    send(outgoing, response.status, headers, isHead ? "" : response.body);
    return;
  }
  stream(outgoing, response, headers);
}

function send(
  outgoing: Outgoing,
  status: number,
  headers: Record<string, string | string[]>,
  body: string,
): void {
  // The two response types declare writeHead apart from each other.
  (outgoing as ServerResponse).writeHead(status, headers);
  (outgoing as ServerResponse).end(body);
}

function stream(
  outgoing: Outgoing,
  response: StreamResponse,
  headers: Record<string, string | string[]>,
): void {
  const target = outgoing as ServerResponse;
  target.writeHead(response.status, headers);
  target.flushHeaders?.();
  let isOpen = true;
  let pending = "";
  // What one turn of the loop brings goes out at once: a frame for each event costs more than it.
  const flush = (): void => {
    if (pending !== "" && isOpen) target.write(pending);
    pending = "";
  };
  const stop = response.start({
    write: (piece) => {
      if (!isOpen) return;
      if (typeof piece === "string") {
        if (pending === "") setImmediate(flush);
        pending += piece;
      } else {
        flush();
        target.write(piece);
      }
    },
    end: () => {
      flush();
      isOpen = false;
      target.end();
    },
    backlog: () => target.writableLength + pending.length,
  });
  target.on("close", () => {
    isOpen = false;
    stop();
  });
}

function warningHeader(text: string): string {
  return `299 - ${JSON.stringify(text.replaceAll(/[^\x20-\x7E]/g, "?"))}`;
}
