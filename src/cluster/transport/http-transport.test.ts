import { createServer } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import { connect as connectTcp, createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { fixedCredentials } from "../credentials/credentials.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { HttpTransport } from "./http-transport.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function transportTo(server: string, changes: Partial<ConnectionSettings> = {}): HttpTransport {
  const transport = new HttpTransport({
    server,
    skipTlsVerify: false,
    credentials: fixedCredentials({ authorization: "Bearer abc" }),
    ...changes,
  });
  closing.push(() => transport.close());
  return transport;
}

async function serving(listener: RequestListener): Promise<HttpTransport> {
  return transportTo(`http://${await listen(createServer(listener))}`);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no failure",
    (error: unknown) =>
      error instanceof DiagnosticError
        ? `${error.diagnostics[0]?.code}: ${error.message.replaceAll(/127\.0\.0\.1:\d+/g, "SERVER")}`
        : String(error),
  );
}

describe("requests", () => {
  it("carry method, path, query, headers and body", async () => {
    const address = await listen(
      createServer((request, response) => {
        void textOf(request).then((body) =>
          response.end(
            [
              request.method,
              request.url,
              request.headers.authorization,
              request.headers["impersonate-group"],
              body,
            ].join(" "),
          ),
        );
      }),
    );
    const transport = transportTo(`http://${address}/base/`, {
      impersonate: { user: "jane", groups: ["a", "b"], extra: {} },
    });
    const { text } = await transport.request({
      method: "PUT",
      path: "/api",
      query: { a: 1, b: ["x", "y z"], c: undefined, d: true },
      body: "ü",
    });
    expect(text).toBe("PUT /base/api?a=1&b=x&b=y+z&d=true Bearer abc a, b ü");
  });

  it("understand packed answers, whatever the status", async () => {
    const transport = await serving((_request, response) => {
      response.writeHead(418, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    });
    const { status, text } = await transport.request({ method: "GET", path: "/" });
    expect([status, text]).toEqual([418, "packed"]);
  });

  it("end when their time is up, or when told to", async () => {
    const transport = await serving(() => undefined);
    expect(await codeOf(transport.request({ method: "GET", path: "/slow", timeoutMs: 20 }))).toBe(
      "cluster.timeout: GET /slow: no answer from http://SERVER within 0.02 s",
    );
    const stop = new AbortController();
    const waiting = transport.request({ method: "GET", path: "/", signal: stop.signal });
    setImmediate(() => {
      stop.abort(new Error("enough"));
    });
    await expect(waiting).rejects.toThrow("enough");
  });

  it("say when the connection breaks, before and within the answer", async () => {
    const transport = await serving((request, response) => {
      if (request.url === "/before") request.socket.destroy();
      else
        response
          .writeHead(200, { "content-length": "100" })
          .write("half", () => request.socket.destroy());
    });
    for (const path of ["/before", "/within"]) {
      expect(await codeOf(transport.request({ method: "GET", path }))).toBe(
        "cluster.unreachable: the connection to http://SERVER was lost before the answer arrived",
      );
    }
  });
});

describe("connections", () => {
  it("that cannot be made say why", async () => {
    const transport = transportTo("http://127.0.0.1:1");
    expect(await codeOf(transport.request({ method: "GET", path: "/" }))).toBe(
      "cluster.unreachable: cannot reach the API server at http://SERVER: nothing listens there",
    );
    const plain = (await listen(createServer())).replace("127.0.0.1", "https://127.0.0.1");
    expect(await codeOf(transportTo(plain).request({ method: "GET", path: "/" }))).toBe(
      "cluster.unreachable: cannot reach the API server at https://SERVER: the server does not speak TLS; the address may need http://",
    );
    const certificate = { certificate: "not PEM", key: "not PEM" };
    const broken = transportTo(plain, { credentials: fixedCredentials({ certificate }) });
    expect(await codeOf(broken.request({ method: "GET", path: "/" }))).toBe(
      "cluster.certificate: cannot connect to https://SERVER: a certificate or key of the context is not in PEM form",
    );
  });

  it("are not made after close", async () => {
    const transport = await serving((_request, response) => response.end());
    await transport.request({ method: "GET", path: "/" });
    await transport.close();
    expect(await codeOf(transport.request({ method: "GET", path: "/" }))).toBe(
      "cluster.unreachable: the client of http://SERVER is closed",
    );
  });
});

describe("streams", () => {
  it("give chunks as they come, and end when left or told to", async () => {
    let gone = 0;
    const transport = await serving((request, response) => {
      request.socket.on("close", () => gone++);
      response.write("first");
    });
    const left = await transport.stream({ method: "GET", path: "/" });
    for await (const chunk of left.body) {
      expect(Buffer.from(chunk).toString("utf8")).toBe("first");
      break;
    }
    await expect.poll(() => gone).toBe(1);

    const stop = new AbortController();
    const stopped = await transport.stream({ method: "GET", path: "/", signal: stop.signal });
    const read = async () => {
      for await (const _chunk of stopped.body) stop.abort(new Error("enough"));
    };
    await expect(read()).rejects.toThrow("enough");
    await expect.poll(() => gone).toBe(2);
  });
});

describe("proxies", () => {
  it("that refuse or are not there are named, without their password", async () => {
    const refusing = createServer();
    refusing.on("connect", (_request, socket: Socket) =>
      socket.end("HTTP/1.1 407 Login first\r\n\r\n"),
    );
    const proxy = await listen(refusing);
    const through = (proxyUrl: string) =>
      codeOf(
        transportTo("http://example.invalid", { proxyUrl }).request({ method: "GET", path: "/" }),
      );
    expect(await through(`http://me:s3cret@${proxy}`)).toBe(
      "cluster.proxy: cannot connect through the proxy http://SERVER: it answered 407",
    );
    expect(await through("http://127.0.0.1:1")).toContain("cluster.proxy: ");
    expect(await through("ftp://127.0.0.1:1")).toContain("is not a kind of proxy that is known");
  });

  it("may speak SOCKS5, with a login", async () => {
    const target = await listen(createServer((_request, response) => response.end("reached")));
    const asked: string[] = [];
    const proxy = await listen(socksProxy(target, asked));
    const transport = transportTo("http://api.internal:8080", {
      proxyUrl: `socks5://me:pw@${proxy}`,
    });
    expect((await transport.request({ method: "GET", path: "/" })).text).toBe("reached");
    expect(asked).toEqual(["me:pw", "api.internal:8080"]);
  });
});

/** As much of a SOCKS5 server as a test needs: each step of the client is one packet. */
function socksProxy(target: string, asked: string[]): Server {
  const [host = "", port = ""] = target.split(":");
  return createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Uint8Array.of(5, 2));
      socket.once("data", (login) => {
        const nameLength = login[1] ?? 0;
        asked.push(
          `${login.subarray(2, 2 + nameLength).toString("utf8")}:${login.subarray(3 + nameLength).toString("utf8")}`,
        );
        socket.write(Uint8Array.of(1, 0));
        socket.once("data", (wish) => {
          asked.push(
            `${wish.subarray(5, 5 + (wish[4] ?? 0)).toString("utf8")}:${wish.readUInt16BE(wish.length - 2)}`,
          );
          const onward = connectTcp(Number(port), host, () => {
            socket.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
            onward.pipe(socket).pipe(onward);
          });
        });
      });
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
