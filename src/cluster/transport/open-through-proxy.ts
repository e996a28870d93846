import { connect } from "node:net";
import type { Socket } from "node:net";
import { ConnectionError, errorCode } from "./connection-error.ts";

// Not imported, for the reason given beside the requests over HTTP/1.1.
const { request: requestHttp } = process.getBuiltinModule("node:http");
const { request: requestHttps } = process.getBuiltinModule("node:https");

const proxyTimeoutMs = 15_000;

/** Opens a connection to host and port through an HTTP proxy (CONNECT) or a SOCKS5 proxy. */
export async function openThroughProxy(
  proxyUrl: string,
  host: string,
  port: number,
): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  try {
    switch (proxy.protocol) {
      case "http:":
      case "https:":
        return await openByConnect(proxy, host, port);
      case "socks5:":
      case "socks5h:":
        return await openBySocks(proxy, host, port);
      default:
        throw proxyFailure(proxy, `${proxy.protocol}// is not a kind of proxy that is known`);
    }
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw proxyFailure(proxy, errorCode(error), error);
  }
}

function proxyFailure(proxy: URL, reason: string, cause?: unknown): ConnectionError {
  // The address of a proxy may carry a password: only its host is named.
  return new ConnectionError("proxy", {
    summary: `cannot connect through the proxy ${proxy.protocol}//${proxy.host}: ${reason}`,
    hint: "check proxy-url of the cluster, HTTPS_PROXY and NO_PROXY",
    cause,
  });
}

function openByConnect(proxy: URL, host: string, port: number): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const send = proxy.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : Number(proxy.port),
      method: "CONNECT",
      path: target,
      agent: false,
      timeout: proxyTimeoutMs,
      headers: { host: target, ...proxyAuthorization(proxy) },
    });
    request.on("connect", (response, socket, head) => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      } else {
        socket.destroy();
        reject(proxyFailure(proxy, `it answered ${status}`));
      }
    });
    request.on("response", (response) => {
      response.destroy();
      reject(proxyFailure(proxy, `it answered ${response.statusCode ?? 0}`));
    });
    request.on("timeout", () => request.destroy(proxyFailure(proxy, "no answer")));
    request.on("error", reject);
    request.end();
  });
}

function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

const socksVersion = 5;
const socksPasswordVersion = 1;

/** SOCKS5 as RFC 1928 and 1929 have it; the proxy looks the host name up. */
async function openBySocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = connect({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port === "" ? 1080 : Number(proxy.port),
    noDelay: true,
  });
  socket.setTimeout(proxyTimeoutMs, () => socket.destroy(proxyFailure(proxy, "no answer")));
  try {
    const user = Buffer.from(decodeURIComponent(proxy.username));
    const password = Buffer.from(decodeURIComponent(proxy.password));
    const method = user.length === 0 ? 0 : 2;
    socket.write(Buffer.from([socksVersion, 1, method]));
    const choice = await readExactly(socket, 2);
    if (choice[0] !== socksVersion || choice[1] !== method) {
      throw proxyFailure(proxy, "it wants another kind of login");
    }
    if (method === 2) {
      socket.write(
        Buffer.concat([
          Buffer.from([socksPasswordVersion, user.length]),
          user,
          Buffer.from([password.length]),
          password,
        ]),
      );
      if ((await readExactly(socket, 2))[1] !== 0) throw proxyFailure(proxy, "login refused");
    }
    const name = Buffer.from(host);
    socket.write(
      Buffer.concat([
        Buffer.from([socksVersion, 1, 0, 3, name.length]),
        name,
        Buffer.from([port >> 8, port & 0xff]),
      ]),
    );
    const [, reply = 255, , addressType] = await readExactly(socket, 4);
    if (reply !== 0) throw proxyFailure(proxy, `it answered with failure ${reply}`);
    const addressLength =
      addressType === 1 ? 4 : addressType === 4 ? 16 : ((await readExactly(socket, 1))[0] ?? 0);
    await readExactly(socket, addressLength + 2);
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    socket.on("error", () => undefined);
    socket.destroy();
    throw error;
  }
}

/** Reads that many bytes and leaves the rest in the socket. */
function readExactly(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      socket.off("readable", onReadable).off("error", onError).off("end", onEnd);
      finish();
    };
    const onReadable = (): void => {
      const chunk = socket.read(length) as Buffer | null;
      if (chunk === null) return;
      settle(() => {
        if (chunk.length === length) resolve(chunk);
        else reject(Object.assign(new Error("short answer"), { code: "ECONNRESET" }));
      });
    };
    const onError = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onEnd = (): void => {
      onError(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    };
    socket.on("readable", onReadable).on("error", onError).on("end", onEnd);
    onReadable();
  });
}
