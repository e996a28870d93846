import { request as requestHttps } from "node:https";

interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null;
}

/** A fetch that trusts an authority of its own, which the fetch of Node cannot be told to. */
export function fetchTrusting(
  certificateAuthority: string,
): (url: string, options: FetchOptions) => Promise<Response> {
  return (url, { method = "GET", headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = requestHttps(
        url,
        { method, headers, ca: certificateAuthority },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            resolve(
              new Response(Buffer.concat(chunks), {
                status: incoming.statusCode ?? 500,
                headers: { "content-type": incoming.headers["content-type"] ?? "" },
              }),
            );
          });
        },
      );
      outgoing.on("error", reject);
      // The body of a token request is a form.
      outgoing.end(body?.toString());
    });
}
