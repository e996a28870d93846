import type { JsonObject, JsonValue } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { User } from "../request.ts";
import { badRequest } from "../status.ts";
import { listAt, textIn } from "../tables/read-fields.ts";

/** Who is it that asks? */
export function reviewSelf(_context: ApiContext, { request }: ResourceRequest): JsonObject {
  return { status: { userInfo: userInfo(request.user) } };
}

/** Whose token is this? */
export function reviewToken(
  { identities }: ApiContext,
  _request: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  const token = textIn(object, "spec.token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const found = identities.authenticate(token);
  const wanted = listAt(object, "spec.audiences").map(String);
  const audiences =
    wanted.length === 0
      ? found?.audiences
      : found?.audiences.filter((each) => wanted.includes(each));
  if (found === undefined || audiences === undefined || audiences.length === 0) {
    return { status: { user: {}, error: "invalid bearer token" } };
  }
  return { status: { authenticated: true, user: userInfo(found.user), audiences: [...audiences] } };
}

function userInfo({ name, uid, groups, extra }: User): JsonObject {
  const entries = Object.entries(extra ?? {}).map(([key, values]): [string, JsonValue] => [
    key,
    [...values],
  ]);
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}
