import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";
import { connectError, timeoutError } from "./connection-error.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { openThroughProxy } from "./open-through-proxy.ts";

const connectTimeoutMs = 15_000;

export type ApplicationProtocol = "h2" | "http/1.1";

export interface OpenConnection {
  readonly socket: Socket;
  /** What both sides agreed to speak. */
  readonly protocol: ApplicationProtocol;
}

/** Opens a connection to the API server: through the proxy if there is one, then TLS. */
export async function openConnection(
  settings: ConnectionSettings,
  protocols: readonly ApplicationProtocol[],
): Promise<OpenConnection> {
  const url = new URL(settings.server);
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  try {
    const plain =
      settings.proxyUrl === undefined
        ? connectTcp({ host, port, noDelay: true, keepAlive: true })
        : await openThroughProxy(settings.proxyUrl, host, port);
    const ready = settings.proxyUrl === undefined ? "connect" : undefined;
    if (!secure) {
      if (ready !== undefined) await opened(plain, ready, settings.server);
      return { socket: plain, protocol: "http/1.1" };
    }
    const socket = await startTls(settings, plain, host, protocols);
    return { socket, protocol: socket.alpnProtocol === "h2" ? "h2" : "http/1.1" };
  } catch (error) {
    throw connectError(settings.server, error);
  }
}

async function startTls(
  settings: ConnectionSettings,
  plain: Socket,
  host: string,
  protocols: readonly ApplicationProtocol[],
): Promise<TLSSocket> {
  // The handshake may fail for the plain socket first; its error also reaches the TLS socket.
  plain.on("error", ignore);
  const client = await settings.credentials.certificate().catch((error: unknown) => {
    plain.destroy();
    throw error;
  });
  const name = settings.tlsServerName ?? host;
  let socket: TLSSocket;
  try {
    socket = connectTls({
      socket: plain,
      // An address is no server name: it may not be sent, but the certificate is checked for it.
      ...(isAddress(name) ? { host: name } : { servername: name, host: name }),
      rejectUnauthorized: !settings.skipTlsVerify,
      ALPNProtocols: [...protocols],
      ...(settings.certificateAuthority === undefined ? {} : { ca: settings.certificateAuthority }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    });
  } catch (error) {
    plain.destroy();
    throw error;
  }
  await opened(socket, "secureConnect", settings.server);
  return socket;
}

/** Waits for the event, an error or the time limit; then nothing of it is left on the socket. */
function opened(socket: Socket, event: string, server: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      socket.off(event, onReady).off("error", settle).off("close", onClose);
      if (error === undefined) {
        resolve();
        return;
      }
      // Whatever else the socket reports while it goes down is of no interest.
      socket.on("error", ignore);
      socket.destroy();
      reject(error);
    };
    const onReady = (): void => {
      settle();
    };
    const onClose = (): void => {
      settle(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    };
    const timer = setTimeout(() => {
      settle(timeoutError(server, "connecting", connectTimeoutMs));
    }, connectTimeoutMs);
    socket.on(event, onReady).on("error", settle).on("close", onClose);
  });
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host);
}

function ignore(): void {
  // Deliberately nothing: an 'error' event without a listener would end the process.
}
