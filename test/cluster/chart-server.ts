/**
 * A chart repository and an OCI registry on loopback. The registry is a stand-in: it knows as much of the
 * distribution protocol as `helm push` and `helm pull` speak. Both run in a thread of their own, because a
 * Tiltfile may hold up the thread of its test while helm runs.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

export interface ChartServer {
  /** Its host and port. */
  readonly host: string;
  readonly close: () => Promise<void>;
}

/** Serves the files of a folder below `/charts/`, and a registry below `/v2/`. */
export async function serveCharts(folder: string): Promise<ChartServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { chartFolder: folder } });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    host: `127.0.0.1:${port}`,
    close: async () => {
      await worker.terminate();
    },
  };
}

interface Stored {
  readonly type: string;
  readonly body: Buffer;
}

const blobs = new Map<string, Stored>();
const manifests = new Map<string, Stored>();
const tags = new Map<string, Set<string>>();

async function answer(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = await buffer(request);
  const [, api, name = "", part = "", rest = ""] =
    /^\/(v2)\/(.+)\/(blobs|manifests|tags)\/(.*)$/.exec(url.pathname) ?? [];
  const found = (stored: Stored | undefined): void => {
    if (stored === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": stored.type,
      "Content-Length": stored.body.length,
      "Docker-Content-Digest": digestOf(stored.body),
    });
    response.end(request.method === "HEAD" ? undefined : stored.body);
  };
  if (url.pathname.startsWith("/charts/")) {
    const file = join(folder, basename(url.pathname));
    found(
      existsSync(file) ? { type: "application/octet-stream", body: readFileSync(file) } : undefined,
    );
  } else if (api === undefined) {
    response.writeHead(url.pathname === "/v2/" ? 200 : 404).end();
  } else if (part === "tags") {
    const list = JSON.stringify({ name, tags: [...(tags.get(name) ?? [])] });
    found({ type: "application/json", body: Buffer.from(list) });
  } else if (request.method === "POST") {
    response.writeHead(202, { Location: `/v2/${name}/blobs/uploads/1` }).end();
  } else if (request.method === "PUT" && part === "blobs") {
    const digest = url.searchParams.get("digest") ?? digestOf(body);
    blobs.set(digest, { type: "application/octet-stream", body });
    response.writeHead(201, { "Docker-Content-Digest": digest }).end();
  } else if (request.method === "PUT") {
    const stored = { type: request.headers["content-type"] ?? "", body };
    manifests.set(`${name}@${rest}`, stored);
    manifests.set(`${name}@${digestOf(body)}`, stored);
    if (!rest.startsWith("sha256:")) tags.set(name, new Set([...(tags.get(name) ?? []), rest]));
    response.writeHead(201, { "Docker-Content-Digest": digestOf(body) }).end();
  } else {
    found(part === "blobs" ? blobs.get(rest) : manifests.get(`${name}@${rest}`));
  }
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

const { chartFolder } = (workerData ?? {}) as { readonly chartFolder?: string };
if (!isMainThread && chartFolder !== undefined) {
  const server = createServer((request, response) => {
    void answer(chartFolder, request, response);
  });
  server.listen(0, "127.0.0.1", () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}
