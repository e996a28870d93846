import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type Access =
  | { readonly kind: "granted" }
  /** The token of the link: the browser is given the cookie instead. */
  | { readonly kind: "exchange"; readonly cookie: string }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 405 | 421; readonly why: string };

/** Decides who may read: nobody but a browser that was given the link, and only from the page itself. */
export class AccessControl {
  readonly #token: string;
  readonly #hosts: ReadonlySet<string>;
  readonly #cookieName: string;
  readonly #session: string;

  constructor(token: string, port: number) {
    this.#token = token;
    this.#hosts = new Set(["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${port}`));
    // Cookies do not know ports: each server has its own.
    this.#cookieName = `keelson-dashboard-${port}`;
    this.#session = createHmac("sha256", token).update(`session ${port}`).digest("base64url");
  }

  decide({ method = "", url = "/", headers }: IncomingMessage): Access {
    // A name that a stranger lets point to this machine is not ours.
    if (!this.#hosts.has(headers.host ?? ""))
      return refused(421, "this address is not served here; open the link that was printed");
    const { origin } = headers;
    if (origin !== undefined && origin !== `http://${headers.host ?? ""}`)
      return refused(403, "other pages may not read this one");
    const site = headers["sec-fetch-site"];
    const isPage = headers["sec-fetch-mode"] === "navigate";
    if (site !== undefined && site !== "same-origin" && site !== "none" && !isPage)
      return refused(403, "other pages may not read this one");
    if (method !== "GET" && method !== "HEAD") return refused(405, "it can only be read");
    const token = new URL(url, "http://localhost").searchParams.get("token");
    if (token !== null && isSame(token, this.#token)) {
      const cookie = `${this.#cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
      return { kind: "exchange", cookie };
    }
    const session = cookieOf(headers.cookie ?? "", this.#cookieName);
    if (session !== undefined && isSame(session, this.#session)) return { kind: "granted" };
    return refused(401, "open the link that keelson printed: it lets this browser in");
  }
}

function refused(status: 401 | 403 | 405 | 421, why: string): Access {
  return { kind: "refused", status, why };
}

function cookieOf(header: string, name: string): string | undefined {
  const prefix = `${name}=`;
  return header
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
    ?.slice(prefix.length);
}

/** Compares in a time that does not tell how much of it was right. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) =>
    createHmac("sha256", "compare").update(text).digest(),
  );
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
