import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeCertificates } from "../../src/sandbox/server/certificate.ts";

/** A real server for admission reviews: what it answers is written in the path that it is called by. */
export interface WebhookServer {
  readonly url: string;
  /** For `caBundle`. */
  readonly authority: string;
}

let running: Promise<WebhookServer> | undefined;

/** The one server of this process; it does not keep the process alive. */
export function webhookServer(): Promise<WebhookServer> {
  running ??= start();
  return running;
}

async function start(): Promise<WebhookServer> {
  const { certificate, key, authority } = makeCertificates(Date.now());
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
  });
  server.unref();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    authority: Buffer.from(authority).toString("base64"),
  };
}

interface Review {
  readonly apiVersion: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

/** A path that has the server answer with this: `patch` is a list of steps. */
export function answering(response: object): string {
  return `{webhook}/answer/${Buffer.from(JSON.stringify(response)).toString("base64url")}`;
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  const [, verb = "", rest = ""] = (incoming.url ?? "").split(/[/?]/);
  const { apiVersion, request } = JSON.parse(text) as Review;
  const respond = (response: object): void => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    const body = { uid: request.uid, ...response };
    outgoing.end(JSON.stringify({ kind: "AdmissionReview", apiVersion, response: body }));
  };
  switch (verb) {
    case "answer": {
      const { patch, ...given } = JSON.parse(Buffer.from(rest, "base64url").toString()) as {
        readonly patch?: unknown;
      };
      if (patch === undefined) respond(given);
      else respond({ patchType: "JSONPatch", ...given, patch: encode(patch) });
      return;
    }
    case "see":
      respond({ allowed: false, status: { message: seen(request) } });
      return;
    case "fail":
      outgoing.writeHead(500).end("out of order");
      return;
    case "missing":
      outgoing.writeHead(404).end();
      return;
    case "garbage":
      outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
      return;
    default:
      // It is waited for in vain.
      return;
  }
}

function encode(patch: unknown): string {
  return Buffer.from(JSON.stringify(patch)).toString("base64");
}

/** What is the same on every server: names of things, not what a server adds to an object. */
function seen(request: Review["request"]): string {
  const { operation, kind, resource, requestKind, name, namespace, dryRun, subResource } = request;
  const partOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const {
      kind: type,
      apiVersion,
      metadata,
      data,
    } = value as {
      readonly kind: string;
      readonly apiVersion: string;
      readonly metadata: { readonly name?: string; readonly labels?: object };
      readonly data?: unknown;
    };
    return [apiVersion, type, metadata.name, metadata.labels, data];
  };
  const { username } = request["userInfo"] as { readonly username: string };
  return JSON.stringify({
    operation,
    kind,
    resource,
    requestKind,
    name,
    namespace,
    dryRun,
    subResource,
    username,
    object: partOf(request["object"]),
    oldObject: partOf(request["oldObject"]),
  });
}
