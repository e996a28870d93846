import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fail } from "../../diagnostics/index.ts";
import type { DevLoop } from "../dev-loop.ts";
import { diagnosticLogs, ownName } from "../diagnostic-logs.ts";
import { findControl, type LiveEvent } from "./control-client.ts";
import { removeControlFile, writeControlFile } from "./control-file.ts";

export interface ControlServer {
  readonly close: () => Promise<void>;
}

const largestBody = 64 * 1024;

/**
 * Lets other commands of the same user ask a dev loop: on the loopback, with a token that stands in a
 * file which only the user can read.
 */
export async function serveControl(
  loop: DevLoop,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<ControlServer> {
  const other = await findControl(folder, name);
  if (other !== undefined)
    fail({
      code: "devloop.running",
      summary: `process ${other.pid} already keeps ${name} running`,
      hint: "stop it first, or use `keelson trigger` and `keelson logs` with it",
    });
  const token = randomBytes(24).toString("hex");
  const server = createServer((request, response) => {
    answer(loop, token, request, response).catch(() => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  writeControlFile(folder, name, { pid: process.pid, port, token });
  return {
    close: () =>
      new Promise((resolve) => {
        removeControlFile(folder, name);
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(
  loop: DevLoop,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hasToken(request, token)) {
    send(response, 401, { error: "a token is needed" });
    return;
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  switch (`${request.method ?? ""} ${url.pathname}`) {
    case "GET /alive":
      send(response, 200, {});
      return;
    case "GET /snapshot":
      send(response, 200, loop.state.snapshot());
      return;
    case "POST /trigger": {
      const { component } = JSON.parse(await bodyOf(request)) as { readonly component: string };
      const isKnown = loop.trigger(component);
      const components = loop.state.snapshot().components.map(({ name }) => name);
      send(response, isKnown ? 200 : 404, { component, components });
      return;
    }
    case "GET /events":
      stream(loop, url.searchParams.get("logs") === "true", request, response);
      return;
    default:
      send(response, 404, { error: "there is no such thing" });
  }
}

/** The snapshot or the last logs, then every event, one a line, until the reader goes. */
function stream(
  loop: DevLoop,
  isLogs: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const write = (value: unknown): void => {
    response.write(`${JSON.stringify(value)}\n`);
  };
  if (isLogs) for (const line of loop.state.logs()) write(line);
  else write({ type: "snapshot", ...loop.state.snapshot() });
  write(liveEvent(loop));
  const stop = loop.state.subscribe((event) => {
    if (!isLogs || event.type === "log") write(event);
    else if (event.type === "error" || event.type === "warning")
      for (const line of diagnosticLogs(event)) write(line);
  });
  request.on("close", stop);
}

function liveEvent(loop: DevLoop): LiveEvent {
  const { components } = loop.state.snapshot();
  const onlyHere = components.filter(
    ({ kind, lastUpdate }) => kind === "local" || lastUpdate === undefined,
  );
  return { type: "live", onlyHere: [ownName, ...onlyHere.map(({ name }) => name)] };
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > largestBody) throw new Error("too large");
  }
  return text;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
