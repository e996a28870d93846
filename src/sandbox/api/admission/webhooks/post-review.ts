import { request, type RequestOptions } from "node:https";
import type { ApiContext } from "../../api-context.ts";
import { serviceConnection } from "./service-connection.ts";
import type { Webhook } from "./webhook.ts";

export type Posted =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "failure"; readonly why: string };

const defaultTimeoutSeconds = 10;
const largestAnswer = 8 * 1024 * 1024;

/** Sends a review to a webhook: to its URL, or to a local process behind its service. */
export function postReview(context: ApiContext, webhook: Webhook, body: string): Promise<Posted> {
  const { clientConfig, timeoutSeconds = defaultTimeoutSeconds } = webhook;
  const { caBundle, service } = clientConfig;
  const url = urlOf(webhook, timeoutSeconds);
  if (url === undefined) return Promise.resolve(failure("the URL of the webhook cannot be read"));
  const { createConnection, problem } =
    service === undefined ? {} : serviceConnection(context, service);
  const prefix = `Post ${JSON.stringify(url.href)}`;
  if (problem !== undefined) return Promise.resolve(failure(`${prefix}: ${problem}`));
  return send(url, body, {
    ...(createConnection === undefined ? {} : { createConnection }),
    timeoutMs: timeoutSeconds * 1000,
    ...(caBundle === undefined ? {} : { ca: Buffer.from(caBundle, "base64").toString() }),
  }).catch((error: unknown) => failure(`${prefix}: ${describe(error, url)}`));
}

function urlOf({ clientConfig }: Webhook, timeoutSeconds: number): URL | undefined {
  const { url: written, service } = clientConfig;
  const text =
    service === undefined
      ? written
      : `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}/${(service.path ?? "/").replace(/^\//, "")}`;
  const url = URL.parse(text ?? "");
  url?.searchParams.set("timeout", `${timeoutSeconds}s`);
  return url ?? undefined;
}

interface SendOptions extends Pick<RequestOptions, "ca" | "createConnection"> {
  readonly timeoutMs: number;
}

function send(url: URL, body: string, { timeoutMs, ...options }: SendOptions): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        ...options,
        method: "POST",
        // With an agent the connection would be its own.
        ...(options.createConnection === undefined ? { agent: false } : {}),
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (text.length > largestAnswer) outgoing.destroy(new Error("the answer is too large"));
        });
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode = 0 } = response;
          const isGood = statusCode >= 200 && statusCode <= 206;
          resolve(isGood ? { kind: "answer", text } : failure(statusText(statusCode, text)));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** What a client of the server makes of an answer that is none of success. */
function statusText(status: number, text: string): string {
  if (status === 404) return "the server could not find the requested resource";
  if (status >= 500) {
    const said = text.trim() === "" ? "unknown" : text.trim();
    return `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}

function describe(error: unknown, { hostname, port }: URL): string {
  const {
    code = "",
    name = "",
    message = "",
  } = error as {
    readonly code?: string;
    readonly name?: string;
    readonly message?: string;
  };
  if (name === "TimeoutError" || name === "AbortError") return "context deadline exceeded";
  if (code === "ECONNREFUSED")
    return `dial tcp ${hostname}:${port || 443}: connect: connection refused`;
  if (code === "ECONNRESET") return "EOF";
  const isUnknown = code.includes("SELF_SIGNED") || code.startsWith("UNABLE_TO_");
  if (isUnknown)
    return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  return message;
}

function failure(why: string): Posted {
  return { kind: "failure", why };
}
