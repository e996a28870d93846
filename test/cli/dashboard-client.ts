import { request } from "node:http";
import type { ActionOrder, ActionView } from "../../src/dashboard/control-view.ts";
import type { DashboardView } from "../../src/dashboard/dashboard-view.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** Ends an endless answer. */
  readonly until?: (body: string) => boolean;
}

/** Talks to a dashboard as its page does, or with exactly the headers that are given. */
export class DashboardClient {
  readonly #link: URL;
  #cookie = "";

  constructor(link: string) {
    this.#link = new URL(link);
  }

  /** Exchanges the token of the link for the cookie. */
  async enter(): Promise<void> {
    const { headers } = await fetch(this.#link, { redirect: "manual" });
    this.#cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  }

  ask(path: string, { method = "GET", headers = {}, body, until }: Asking = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const all = { cookie: this.#cookie, ...headers };
    const sent = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const { hostname: host, port } = this.#link;
    const asked = request({ host, port, path, method, headers: sent }, (response) => {
      let text = "";
      const done = (): void => {
        resolve({ status: response.statusCode ?? 0, body: text });
      };
      response.on("data", (chunk) => {
        text += String(chunk);
        if (until?.(text) !== true) return;
        done();
        asked.destroy();
      });
      response.on("end", done);
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
    return promise;
  }

  /** Asks for an action, with other headers than the page sends where they are given. */
  act(order: ActionOrder | string, headers: Asking["headers"] = {}): Promise<Answer> {
    return this.ask("/api/actions", {
      method: "POST",
      headers: {
        origin: this.#link.origin,
        "content-type": "application/json",
        "x-keelson-action": "1",
        ...headers,
      },
      body: typeof order === "string" ? order : JSON.stringify(order),
    });
  }

  /** The first view that is as asked for. */
  async view(isWanted: (view: DashboardView) => boolean): Promise<DashboardView> {
    for (;;) {
      const { body } = await this.ask("/api/events", {
        // One change more than the snapshot, or a snapshot that is good at once.
        until: (text) => snapshots(text).some(isWanted) || /^event: change\n.*\n\n/m.test(text),
      });
      const found = snapshots(body).find(isWanted);
      if (found !== undefined) return found;
    }
  }

  /** Has an action done to its end. */
  async done(order: ActionOrder): Promise<ActionView> {
    // What has just happened in the loop or the cluster is on the page a moment later.
    if ("component" in order) await this.view((view) => isOffered(view, order));
    const { status, body } = await this.act(order);
    if (status !== 202) throw new Error(`${status}: ${body}`);
    const { id } = JSON.parse(body) as { readonly id: string };
    const isOver = (action: ActionView): boolean => action.id === id && action.status !== "running";
    const { control } = await this.view((view) => view.control.actions.some(isOver));
    const found = control.actions.find(isOver);
    if (found === undefined) throw new Error("it was there a moment ago");
    return found;
  }
}

function isOffered(
  { components }: DashboardView,
  { component, kind }: { readonly component: string; readonly kind: string },
): boolean {
  return components.some(
    ({ key, offers }) => key === component && offers.some((offer) => offer === kind),
  );
}

function snapshots(body: string): readonly DashboardView[] {
  return [...body.matchAll(/^event: snapshot\ndata: (.*)\n\n/gm)].map(
    ([, data = ""]) => JSON.parse(data) as DashboardView,
  );
}
