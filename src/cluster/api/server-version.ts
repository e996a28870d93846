import { isJsonObject } from "../../json/index.ts";
import { describePurpose } from "./describe-status.ts";
import { unexpectedValue } from "./unexpected-answer.ts";
import { type ClientContext, sendForJson } from "./client-context.ts";

export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** `v1.36.3`, often with a suffix of the vendor. */
  readonly gitVersion: string;
}

export async function serverVersion(context: ClientContext): Promise<ServerVersion> {
  const purpose = { verb: "get", resource: "/version" };
  const { value } = await sendForJson(context, purpose, { method: "GET", path: "/version" });
  const { major, minor, gitVersion } = isJsonObject(value) ? value : {};
  if (typeof major !== "string" || typeof minor !== "string" || typeof gitVersion !== "string")
    throw unexpectedValue(describePurpose(purpose), value, "a version");
  return { major, minor, gitVersion };
}
