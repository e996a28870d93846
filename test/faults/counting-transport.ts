import {
  type MessageSocket,
  queryParameters,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
  type TransportStream,
} from "../../src/cluster/index.ts";

/** Counts what is asked of an API server. */
export class CountingTransport implements Transport {
  /** `GET /api/v1/pods?limit=1`, in the order of the requests. */
  readonly calls: string[] = [];
  readonly #inner: Transport;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  request(request: TransportRequest): Promise<TransportAnswer> {
    this.#count(request);
    return this.#inner.request(request);
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    this.#count(request);
    return this.#inner.stream(request);
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    this.#count(request);
    return this.#inner.openSocket(request, protocols);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** The watches that were begun since a call: `pods in default`, `nodes metadata.name=one`. */
  watches(since = 0): readonly string[] {
    return this.#collections(since).flatMap(({ what, isWatch }) => (isWatch ? [what] : []));
  }

  /** The lists that were asked for since a call. */
  lists(since = 0): readonly string[] {
    return this.#collections(since).flatMap(({ what, isWatch }) => (isWatch ? [] : [what]));
  }

  #count({ method, path, query }: TransportRequest): void {
    this.calls.push(`${method} ${path}?${queryParameters(query).toString()}`);
  }

  #collections(since: number): readonly { readonly what: string; readonly isWatch: boolean }[] {
    return this.calls.slice(since).flatMap((call) => {
      const found =
        /^GET \/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<plural>[^/?]+)\?(?<query>.*)$/.exec(
          call,
        )?.groups;
      if (found === undefined) return [];
      const { namespace, plural = "", query: text = "" } = found;
      const query = new URLSearchParams(text);
      const selectors = [query.get("labelSelector"), query.get("fieldSelector")];
      const where = namespace === undefined ? [] : [`in ${namespace}`];
      const what = [plural, ...where, ...selectors.filter((each) => each !== null)].join(" ");
      return [{ what, isWatch: query.get("watch") === "true" }];
    });
  }
}
