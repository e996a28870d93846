import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import { AccessControl, actionsPath } from "./access.ts";
import { ActionRunner } from "./action-runner.ts";
import { answerApi } from "./answer-api.ts";
import { answerOrder } from "./answer-order.ts";
import type { DashboardActions, DashboardPlans } from "./dashboard-actions.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import { GraphLayouts } from "./graph-layout.ts";
import { LiveView } from "./live-view.ts";
import { requestUrl } from "./request-url.ts";
import { PageFiles } from "./page-files.ts";
import { PlanDesk } from "./plan-desk.ts";

export interface ServeDashboardOptions {
  readonly cluster: Cluster;
  /** Which cluster it is, for the page. */
  readonly description: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** What lets a browser in; a new one unless given. */
  readonly token?: string | undefined;
  /** Who counts for what is outside of Kubernetes. They stay open. */
  readonly providers?: Pick<ProviderHost, "provider"> | undefined;
  /** Where the built page is, if not in the package. */
  readonly page?: URL | undefined;
  /** What is known of components beside what the cluster says. */
  readonly source?: DashboardSource | undefined;
  /** Who does what the page asks for; without them the server refuses every action. */
  readonly actions?: DashboardActions | undefined;
  /** What an apply would do; without a source there is none. */
  readonly plans?: DashboardPlans | undefined;
}

export interface DashboardServer {
  readonly port: number;
  /** The link that lets a browser in. */
  readonly link: string;
  readonly close: () => Promise<void>;
}

/** Nothing but what this server sends is run, shown or asked. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const host = "127.0.0.1";

/** Serves the dashboard of a cluster on loopback until it is closed. The cluster stays open. */
export async function serveDashboard(options: ServeDashboardOptions): Promise<DashboardServer> {
  const { cluster, token = randomBytes(32).toString("base64url") } = options;
  const { source, actions, plans } = options;
  const page = new PageFiles(options.page);
  await page.require();
  const server = createServer();
  const port = await listen(server, options.port);
  const access = new AccessControl(token, port);
  const live = new LiveView(options);
  const layouts = new GraphLayouts();
  const desk = new PlanDesk(plans);
  const runner = actions === undefined ? undefined : new ActionRunner(live, actions, plans);
  server.on("request", (request, response) => {
    answer(request, response).catch(() => {
      // What went wrong may hold what nobody is to read.
      if (response.headersSent) response.destroy();
      else end(response, 500, "it failed unexpectedly\n");
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const decision = access.decide(request);
    switch (decision.kind) {
      case "refused":
        end(response, decision.status, `${decision.why}\n`);
        return;
      case "exchange":
        response.setHeader("set-cookie", decision.cookie);
        response.setHeader("location", "/");
        end(response, 303, "");
        return;
      case "granted":
        break;
    }
    const url = requestUrl(request.url);
    if (url.pathname === actionsPath && request.method === "POST") {
      await answerOrder(request, response, runner);
      return;
    }
    if (url.pathname.startsWith("/api/")) {
      await answerApi(url, response, {
        cluster,
        live,
        layouts,
        source,
        plans: desk,
        providers: options.providers,
      });
      return;
    }
    const file = await page.find(url.pathname);
    if (file === undefined) end(response, 404, "there is no such page\n");
    else {
      response.writeHead(200, { "content-type": file.type });
      response.end(file.body);
    }
  }

  return {
    port,
    link: `http://${host}:${port}/?token=${token}`,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => {
        closed.resolve();
      });
      server.closeAllConnections();
      await runner?.close();
      live.close();
      await Promise.all([closed.promise, layouts.close()]);
    },
  };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    fail({
      code: "dashboard.port-taken",
      summary: `cannot serve the dashboard on ${host}:${port}: ${(error as Error).message}`,
      hint: "choose another port with --port; 0 takes any that is free",
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
