import { sendForJson } from "./api-context.ts";
import type { ApiContext } from "./api-context.ts";

export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** `v1.36.3`, often with a suffix of the vendor. */
  readonly gitVersion: string;
}

export async function serverVersion(context: ApiContext): Promise<ServerVersion> {
  const { value } = await sendForJson<ServerVersion>(
    context,
    { verb: "get", resource: "/version" },
    { method: "GET", path: "/version" },
  );
  return value;
}
