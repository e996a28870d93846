import { createServer, type ServerResponse } from "node:http";
import { fail } from "../../diagnostics/index.ts";
import type { Metrics } from "./metrics.ts";

export interface HealthServerOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Whether all watches have begun. */
  readonly isReady: () => boolean;
  readonly metrics: Metrics;
}

export interface HealthServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export async function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(request.url ?? "", options, response);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(options.port, options.host, resolve);
  try {
    await promise;
  } catch (error) {
    fail({
      code: "controller.port-taken",
      summary: `cannot serve health and metrics on ${options.host}:${options.port}: ${(error as Error).message}`,
      hint: "choose another port with --health-port; 0 takes any that is free",
    });
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => {
        closed.resolve();
      });
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function answer(
  url: string,
  { isReady, metrics }: HealthServerOptions,
  response: ServerResponse,
): Promise<void> {
  switch (url.replace(/\?.*$/u, "")) {
    case "/healthz":
      end(response, 200, "text/plain", "ok\n");
      return;
    case "/readyz":
      if (isReady()) end(response, 200, "text/plain", "ok\n");
      else end(response, 503, "text/plain", "the watches have not all begun\n");
      return;
    case "/metrics": {
      const { type, body } = await metrics.text();
      end(response, 200, type, body);
      return;
    }
    default:
      end(response, 404, "text/plain", "there are /healthz, /readyz and /metrics\n");
  }
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}
