import type { Clock } from "../clock.ts";
import type { Random } from "../random.ts";
import type { Store } from "../store/store.ts";
import type { Authorizer } from "./authorization/authorizer.ts";
import type { Identities } from "./identities.ts";
import type { ApiRequest } from "./request.ts";
import type { ResourcePath } from "./request-path.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { Rounds } from "./rounds.ts";
import type { ServedResource } from "./served-resource.ts";

/** What every request is answered from. */
export interface ApiContext {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly identities: Identities;
  readonly authorizer: Authorizer;
  /** How answers from outside get into what is synchronous. */
  readonly rounds: Rounds;
}

/** One request for a resource, with everything that its path says. */
export interface ResourceRequest {
  readonly request: ApiRequest;
  readonly path: ResourcePath;
  readonly resource: ServedResource;
  /** Says something to the client besides the answer. */
  readonly warn?: (text: string) => void;
}

export function isDryRun({ query }: ApiRequest): boolean {
  return query.getAll("dryRun").includes("All");
}

/** The manager to whom a write is attributed: as asked, or the program that sent it. */
export function fieldManagerOf({ query, userAgent }: ApiRequest): string {
  const asked = query.get("fieldManager") ?? "";
  return asked !== "" ? asked : (userAgent.split("/")[0] ?? "").slice(0, 128) || "unknown";
}
