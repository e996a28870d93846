import { expect } from "vitest";
import { load } from "js-yaml";
import { ManualClock } from "../../src/sandbox/clock.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { seededRandom } from "../../src/sandbox/random.ts";

/** A sandbox whose time stands still until the test moves it. */
export class Scenario {
  readonly clock = new ManualClock();
  readonly sandbox: Sandbox;

  constructor() {
    this.sandbox = openSandbox({ clock: this.clock, random: seededRandom(1) });
    this.settle();
  }

  /** Lets everything happen that happens within moments. */
  settle(): this {
    this.clock.advance(200);
    return this;
  }

  seconds(count: number): this {
    this.clock.advance(count * 1000);
    return this;
  }

  /** Creates what a YAML text describes, in the namespace `default`. */
  create(path: string, yaml: string): this {
    const { status, body } = this.send("POST", path, load(yaml));
    expect(status, JSON.stringify(body)).toBe(201);
    return this;
  }

  patch(path: string, yaml: string): this {
    const { status, body } = this.send("PATCH", path, load(yaml));
    expect(status, JSON.stringify(body)).toBe(200);
    return this;
  }

  delete(path: string): this {
    expect(this.send("DELETE", path).status).toBe(200);
    return this;
  }

  get(path: string): Loose {
    return this.send("GET", path).body;
  }

  list(path: string): readonly Loose[] {
    return this.get(path)["items"] as readonly Loose[];
  }

  /** The reasons and messages of the events about an object, in order. */
  events(kind: string, name: string | RegExp): readonly string[] {
    return this.list("/api/v1/namespaces/default/events")
      .filter(({ involvedObject }) => {
        const about = involvedObject as { readonly kind: string; readonly name: string };
        return (
          about.kind === kind &&
          (name instanceof RegExp ? name.test(about.name) : about.name === name)
        );
      })
      .map(
        ({ reason, message, count }) =>
          `${String(reason)}: ${String(message)}${Number(count) > 1 ? ` (x${Number(count)})` : ""}`,
      );
  }

  send(
    method: string,
    path: string,
    body?: unknown,
  ): { readonly status: number; readonly body: Loose } {
    const [plain = "", query = ""] = path.split("?");
    const response = this.sandbox.handle({
      method,
      path: plain,
      query: new URLSearchParams(query),
      accept: "application/json",
      contentType: method === "PATCH" ? "application/merge-patch+json" : "application/json",
      userAgent: "scenario",
      body: body === undefined ? "" : JSON.stringify(body),
      user: { name: "admin", groups: ["system:masters"] },
    });
    if (response.kind !== "complete") throw new Error("a stream was not expected");
    return { status: response.status, body: JSON.parse(response.body) as Loose };
  }
}

/** An object as JSON has it. */
export type Loose = Readonly<Record<string, unknown>>;

/** What conditions say, each on a line: `Available=True MinimumReplicasAvailable`. */
export function conditionsOf(object: Loose): readonly string[] {
  const { conditions = [] } = object["status"] as {
    readonly conditions?: readonly Record<string, string>[];
  };
  return conditions.map(({ type = "", status = "", reason = "" }) =>
    `${type}=${status} ${reason}`.trim(),
  );
}

export const deploymentsPath = "/apis/apps/v1/namespaces/default/deployments";
export const podsPath = "/api/v1/namespaces/default/pods";
