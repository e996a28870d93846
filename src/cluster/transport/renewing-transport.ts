import type { Credentials } from "../credentials/credentials.ts";
import { SocketRefused } from "./socket-refused.ts";
import type { HttpTransport } from "./http-transport.ts";
import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "./transport.ts";

/** After 401 gets newer credentials, if there are any, and sends the request once more. */
export class RenewingTransport implements Transport {
  readonly #inner: HttpTransport;
  readonly #credentials: Credentials;
  #renewing: Promise<boolean> | undefined;

  constructor(inner: HttpTransport, credentials: Credentials) {
    this.#inner = inner;
    this.#credentials = credentials;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const answer = await this.#inner.request(request);
    return answer.status === 401 && (await this.#renew()) ? this.#inner.request(request) : answer;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const answer = await this.#inner.stream(request);
    if (answer.status !== 401 || !(await this.#renew())) return answer;
    for await (const _chunk of answer.body) break;
    return this.#inner.stream(request);
  }

  async openSocket(
    request: TransportRequest,
    protocols: readonly string[],
  ): Promise<MessageSocket> {
    try {
      return await this.#inner.openSocket(request, protocols);
    } catch (error) {
      const unauthorized = error instanceof SocketRefused && error.answer.status === 401;
      if (!unauthorized || !(await this.#renew())) throw error;
      return this.#inner.openSocket(request, protocols);
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Many requests may hear 401 at once: they share one renewal. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<boolean> {
    const before = await this.#credentials.certificate();
    if (!(await this.#credentials.renew())) return false;
    const after = await this.#credentials.certificate();
    if (before?.certificate !== after?.certificate) await this.#inner.renewConnections();
    return true;
  }
}
