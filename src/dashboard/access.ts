import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { requestUrl } from "./request-url.ts";

export type Access =
  | { readonly kind: "granted" }
  /** The token of the link: the browser is given the cookie instead. */
  | { readonly kind: "exchange"; readonly cookie: string }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 405 | 421; readonly why: string };

/** Where the page sends what it wants done; nothing else may be written to. */
export const actionsPath = "/api/actions";
/** A header that a form of another page cannot send. */
export const actionHeader = "x-keelson-action";

/**
 * Decides who may read and who may act: nobody but a browser that was given the link, and only from the
 * page itself. Who acts must show where the request comes from; for reading it is enough to come from
 * nowhere else.
 */
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
    const { pathname, searchParams } = requestUrl(url);
    // A link elsewhere may lead to the page, but not to what the page asks for.
    const isPage = headers["sec-fetch-mode"] === "navigate" && !pathname.startsWith("/api/");
    if (site !== undefined && site !== "same-origin" && site !== "none" && !isPage)
      return refused(403, "other pages may not read this one");
    const isAction = method === "POST" && pathname === actionsPath;
    if (!isAction && method !== "GET" && method !== "HEAD")
      return refused(405, "it can only be read");
    if (isAction && !isFromPage(headers)) return refused(403, "only the page itself may act");
    const token = searchParams.get("token");
    if (!isAction && token !== null && isSame(token, this.#token)) {
      const cookie = `${this.#cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
      return { kind: "exchange", cookie };
    }
    const session = cookieOf(headers.cookie ?? "", this.#cookieName);
    if (session !== undefined && isSame(session, this.#session)) return { kind: "granted" };
    return refused(401, "open the link that keelson printed: it lets this browser in");
  }
}

/** Whether a request is one that no other page can make a browser send. */
function isFromPage(headers: IncomingMessage["headers"]): boolean {
  const { origin, "content-type": type = "", "sec-fetch-site": site } = headers;
  return (
    origin !== undefined &&
    (site === undefined || site === "same-origin") &&
    /^application\/json(?:;|$)/.test(type) &&
    headers[actionHeader] === "1"
  );
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
