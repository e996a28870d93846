import { backoffMs, systemTiming } from "../timing.ts";
import type { Timing } from "../timing.ts";
import { ConnectionError } from "./connection-error.ts";
import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "./transport.ts";

export interface RetryLimits {
  readonly mostAttempts: number;
  /** No attempt begins later than this after the first. */
  readonly mostElapsedMs: number;
}

/** Longer than this nobody waits in silence. */
const silentForMs = 1_000;
const defaultLimits: RetryLimits = { mostAttempts: 12, mostElapsedMs: 30_000 };

/**
 * Sends a request again when that is safe and may help: after 429 always, after 5xx and lost
 * connections when sending it twice has the effect of sending it once.
 *
 * A server that never answered is not waited for, because the address is probably wrong; one that
 * has answered before is, because it is probably restarting.
 */
export class RetryingTransport implements Transport {
  readonly #inner: Transport;
  readonly #timing: Timing;
  readonly #limits: RetryLimits;
  #hasAnswered = false;

  constructor(inner: Transport, timing: Timing = systemTiming, limits: Partial<RetryLimits> = {}) {
    this.#inner = inner;
    this.#timing = timing;
    this.#limits = { ...defaultLimits, ...limits };
  }

  request(request: TransportRequest): Promise<TransportAnswer> {
    return this.#send(request, () => this.#inner.request(request));
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#send(request, () => this.#inner.stream(request));
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    return this.#inner.openSocket(request, protocols);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #send<T extends TransportAnswer | TransportStream>(
    request: TransportRequest,
    once: () => Promise<T>,
  ): Promise<T> {
    const started = this.#timing.now();
    let isSilent = true;
    for (let attempt = 0; ; attempt++) {
      const outcome = await once().then(
        (answer) => ({ kind: "answer" as const, answer }),
        (error: unknown) => ({ kind: "error" as const, error }),
      );
      if (outcome.kind === "answer") this.#hasAnswered = true;
      const again =
        outcome.kind === "answer"
          ? retryAnswer(request, outcome.answer, attempt)
          : this.#retryError(request, outcome.error);
      const delayMs = Math.max(again.leastDelayMs ?? 0, backoffMs(attempt, this.#timing.random()));
      const elapsedMs = this.#timing.now() - started + delayMs;
      const spent = elapsedMs > this.#limits.mostElapsedMs;
      if (!again.worthIt || spent || attempt + 1 >= this.#limits.mostAttempts) {
        if (outcome.kind === "error") throw outcome.error;
        return outcome.answer;
      }
      if (isSilent && elapsedMs > silentForMs) {
        isSilent = false;
        tell(request, outcome);
      }
      if (outcome.kind === "answer") await discard(outcome.answer);
      await this.#timing.sleep(delayMs, request.signal);
    }
  }

  #retryError(request: TransportRequest, error: unknown): Again {
    if (!(error instanceof ConnectionError) || request.signal?.aborted === true) return never;
    switch (error.failure) {
      case "refused":
        return { worthIt: true };
      case "unreachable":
        return { worthIt: this.#hasAnswered };
      case "reset":
        return { worthIt: isIdempotent(request) };
      case "timeout":
      case "certificate":
      case "proxy":
      case "closed":
        return never;
    }
    return never;
  }
}

function tell(
  { onRetry }: TransportRequest,
  outcome:
    | { readonly kind: "answer"; readonly answer: TransportAnswer | TransportStream }
    | { readonly kind: "error"; readonly error: unknown },
): void {
  if (outcome.kind === "error") onRetry?.(outcome);
  else if ("text" in outcome.answer) onRetry?.({ kind: "answer", answer: outcome.answer });
}

interface Again {
  readonly worthIt: boolean;
  readonly leastDelayMs?: number;
}

const never: Again = { worthIt: false };
const longestRetryAfterMs = 10_000;
/** A 500 may be a hiccup, but API servers also answer it to what they will never be able to read. */
const mostAttemptsAfterInternalError = 4;

function retryAnswer(
  request: TransportRequest,
  answer: TransportAnswer | TransportStream,
  attempt: number,
): Again {
  const retryAfter = Number(answer.headers["retry-after"] ?? Number.NaN);
  const leastDelayMs = Number.isFinite(retryAfter)
    ? Math.min(longestRetryAfterMs, retryAfter * 1000)
    : 0;
  switch (answer.status) {
    case 429:
      return { worthIt: true, leastDelayMs };
    case 500:
      return {
        worthIt:
          Number.isFinite(retryAfter) ||
          (isIdempotent(request) && attempt + 1 < mostAttemptsAfterInternalError),
        leastDelayMs,
      };
    case 502:
    case 503:
    case 504:
      // With Retry-After the server says itself that it has not begun, whatever the verb.
      return {
        worthIt: isIdempotent(request) || Number.isFinite(retryAfter),
        leastDelayMs,
      };
    default:
      return never;
  }
}

/** Whether sending a request twice has the effect of sending it once. */
function isIdempotent({ method, path, headers }: TransportRequest): boolean {
  // A token or a review is an answer: nothing is stored by asking for it.
  if (method === "POST") return /\/(?:token|[a-z]*accessreviews)$/.test(path);
  if (method !== "PATCH") return true;
  return headers?.["content-type"] !== "application/json-patch+json";
}

async function discard(answer: TransportAnswer | TransportStream): Promise<void> {
  if (!("body" in answer)) return;
  for await (const _chunk of answer.body) break;
}
