import type { OutgoingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { readFileSync } from "node:fs";
import { patienceMs } from "../patience.ts";

/** An API server that cases run against. */
export interface Target {
  readonly send: (options: SendOptions) => Promise<Answer>;
  readonly close: () => void;
}

export interface SendOptions {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Ends a stream after this many lines. */
  readonly lines?: number;
  /** Called when the answer begins. */
  readonly onOpen?: () => void;
}

export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** Speaks to the server of a kubeconfig by plain HTTPS: independent of the code under test. */
export function connectTarget(kubeconfigText: string): Target {
  const value = (key: string): string =>
    new RegExp(`${key}: (\\S+)`).exec(kubeconfigText)?.[1] ?? "";
  const ca = Buffer.from(value("certificate-authority-data"), "base64").toString();
  const agent = new Agent({ keepAlive: true, ca, maxSockets: 16 });
  const server = value("server");
  const authorization = `Bearer ${value("token")}`;
  return {
    send: (options) => send(server, authorization, agent, options),
    close: () => {
      agent.destroy();
    },
  };
}

export function connectKubeconfigFile(path: string): Target {
  return connectTarget(readFileSync(path, "utf8"));
}

function send(
  server: string,
  authorization: string,
  agent: Agent,
  options: SendOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length =
      options.body === undefined
        ? {}
        : { "content-length": String(Buffer.byteLength(options.body)) };
    const headers: OutgoingHttpHeaders = { authorization, ...copy(options.headers), ...length };
    const outgoing = request(
      `${server}${options.path}`,
      { method: options.method, agent, headers, timeout: patienceMs },
      (response) => {
        options.onOpen?.();
        let text = "";
        const finish = (): void => {
          resolve({
            status: response.statusCode ?? 0,
            // The real server tells them in the random order of its maps.
            warnings: (response.headersDistinct["warning"] ?? []).toSorted(),
            text,
          });
        };
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (options.lines !== undefined && text.split("\n").length > options.lines) {
            outgoing.destroy();
            finish();
          }
        });
        response.on("end", finish);
        response.on("error", () => {
          finish();
        });
      },
    );
    outgoing.on("timeout", () => {
      outgoing.destroy(new Error(`${options.method} ${options.path}: no answer in time`));
    });
    outgoing.on("error", reject);
    outgoing.end(options.body);
  });
}

function copy(headers: SendOptions["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : [...value],
    ]),
  );
}
