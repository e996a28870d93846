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
  #renewing: { readonly began: number; readonly ended: Promise<boolean> } | undefined;
  /** Counts requests and renewals in the order in which they began, and renewals that brought something as they end. */
  #count = 0;
  #renewedAt = 0;

  constructor(inner: HttpTransport, credentials: Credentials) {
    this.#inner = inner;
    this.#credentials = credentials;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const sent = ++this.#count;
    const answer = await this.#inner.request(request);
    const isRenewed = answer.status === 401 && (await this.#renew(sent));
    return isRenewed ? this.#inner.request(request) : answer;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const sent = ++this.#count;
    const answer = await this.#inner.stream(request);
    if (answer.status !== 401 || !(await this.#renew(sent))) return answer;
    for await (const _chunk of answer.body) break;
    return this.#inner.stream(request);
  }

  async openSocket(
    request: TransportRequest,
    protocols: readonly string[],
  ): Promise<MessageSocket> {
    const sent = ++this.#count;
    try {
      return await this.#inner.openSocket(request, protocols);
    } catch (error) {
      const unauthorized = error instanceof SocketRefused && error.answer.status === 401;
      if (!unauthorized || !(await this.#renew(sent))) throw error;
      return this.#inner.openSocket(request, protocols);
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /**
   * Many requests may hear 401 at once: they share one renewal. One that began before a request was sent, and
   * brought nothing, says nothing of what there is by now. A request that was sent before a renewal ended went out
   * with the credentials from before: what it heard is no verdict on the new ones.
   */
  async #renew(sent: number): Promise<boolean> {
    if (sent < this.#renewedAt) return true;
    const earlier = this.#renewing;
    if (earlier !== undefined && earlier.began < sent && (await earlier.ended)) return true;
    if (this.#renewing === undefined || this.#renewing.began < sent) {
      const ended = this.#renewOnce().finally(() => {
        if (this.#renewing?.ended === ended) this.#renewing = undefined;
      });
      this.#renewing = { began: ++this.#count, ended };
    }
    return this.#renewing.ended;
  }

  async #renewOnce(): Promise<boolean> {
    const before = await this.#credentials.certificate();
    if (!(await this.#credentials.renew())) return false;
    this.#renewedAt = ++this.#count;
    const after = await this.#credentials.certificate();
    if (before?.certificate !== after?.certificate) await this.#inner.renewConnections();
    return true;
  }
}
