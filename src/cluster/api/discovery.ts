import { parseJson } from "../../json/index.ts";
import type { Transport, TransportAnswer } from "../transport/transport.ts";
import { ApiError } from "./api-error.ts";
import type { ApiResource } from "./api-resource.ts";
import { type AggregatedPart, readAggregated } from "./discovery-aggregated.ts";
import { discoverGroupByGroup } from "./discovery-legacy.ts";
import { statusOf } from "./status.ts";

/** What discovery found, with the tags by which the server can say that nothing has changed. */
export interface Discovered {
  /** The resources by the path that they came from, to keep those of a path that did not change. */
  readonly parts: Readonly<Record<string, readonly ApiResource[]>>;
  /** By path; empty for servers without aggregated discovery. */
  readonly etags: Readonly<Record<string, string>>;
  /** Groups whose own server does not answer: what they serve is not known, by path. */
  readonly unavailable: Readonly<Record<string, readonly string[]>>;
}

const paths = ["/api", "/apis"] as const;
const accept = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

/**
 * Asks what the server serves: two requests where discovery is aggregated, else one for each group
 * version. With an earlier result only what has changed since is sent.
 */
export async function fetchDiscovery(
  transport: Transport,
  earlier?: Discovered,
): Promise<Discovered> {
  const answers = await Promise.all(
    paths.map((path) => ask(transport, path, earlier?.etags[path])),
  );
  const parts: Record<string, readonly ApiResource[]> = {};
  const unavailable: Record<string, readonly string[]> = {};
  const etags: Record<string, string> = {};
  for (const [index, path] of paths.entries()) {
    const answer = answers[index];
    if (answer === undefined) continue;
    const known = answer.status === 304 ? partOf(earlier, path) : readPart(answer);
    if (known === undefined) return discoverGroupByGroup(transport);
    parts[path] = known.resources;
    unavailable[path] = known.unavailable;
    const etag = answer.headers["etag"] ?? earlier?.etags[path];
    if (etag !== undefined) etags[path] = etag;
  }
  return { parts, etags, unavailable };
}

function partOf(earlier: Discovered | undefined, path: string): AggregatedPart | undefined {
  const resources = earlier?.parts[path];
  return resources === undefined
    ? undefined
    : { resources, unavailable: earlier?.unavailable[path] ?? [] };
}

async function ask(
  transport: Transport,
  path: string,
  etag: string | undefined,
): Promise<TransportAnswer> {
  const answer = await transport.request({
    method: "GET",
    path,
    headers: { accept, ...(etag === undefined ? {} : { "if-none-match": etag }) },
  });
  if (answer.status === 200 || answer.status === 304 || answer.status === 406) return answer;
  throw new ApiError({ verb: "get", resource: path }, statusOf(answer));
}

/** Undefined when the answer is not an aggregated one. */
function readPart(answer: TransportAnswer): AggregatedPart | undefined {
  if (answer.status !== 200) return undefined;
  try {
    return readAggregated(parseJson(answer.text));
  } catch {
    return undefined;
  }
}
