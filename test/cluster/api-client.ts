/** Plain requests to an API server, for tests that look at its answers as they are. */
import { Agent, request } from "node:https";
import type { ControlPlane } from "./control-plane.ts";

export interface ApiAnswer {
  readonly status: number;
  // The tests compare whole answers of many kinds; their shape is what is being tested.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export class ApiClient {
  readonly #controlPlane: Pick<ControlPlane, "server" | "token">;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  constructor(controlPlane: Pick<ControlPlane, "server" | "token">) {
    this.#controlPlane = controlPlane;
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    contentType = "application/json",
  ): Promise<ApiAnswer> {
    const { server, token } = this.#controlPlane;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, server),
        {
          method,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json",
            "content-type": contentType,
          },
        },
        (incoming) => {
          let text = "";
          incoming.setEncoding("utf8");
          incoming.on("data", (chunk: string) => {
            text += chunk;
          });
          incoming.on("end", () => {
            resolve({ status: incoming.statusCode ?? 0, body: parseOrWrap(text) });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Server-side apply. */
  apply(path: string, object: unknown, manager: string, force: boolean): Promise<ApiAnswer> {
    const query = `fieldManager=${manager}&force=${force}`;
    return this.send("PATCH", `${path}?${query}`, object, "application/apply-patch+yaml");
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parseOrWrap(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}
