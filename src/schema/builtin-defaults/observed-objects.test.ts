import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import { splitApiVersion } from "../../objects/api-version.ts";
import { builtinSchemas } from "../builtin-schemas.ts";
import { decodeObject } from "../decode-object.ts";
import observed from "../../../test/facts/api-server-defaults.json" with { type: "json" };

/**
 * What kube-apiserver 1.36.3 stored for what it was sent; without metadata and without what it
 * allocates or admission adds.
 */
const cases = observed as unknown as readonly { sent: Sent; stored: JsonObject }[];

interface Sent extends JsonObject {
  apiVersion: string;
  kind: string;
}

/** What a server sets and no default does. */
const setByServer: Readonly<Record<string, readonly string[]>> = {
  Pod: ["status"],
  CustomResourceDefinition: ["status"],
};

test.each(cases.map((each) => [each.sent.kind, each] as const))(
  "%s is stored as observed",
  (kind, { sent, stored }) => {
    const gvk = { ...splitApiVersion(sent.apiVersion), kind };
    const { object, problems } = decodeObject(builtinSchemas().get(gvk) ?? {}, sent);
    const { metadata: _metadata, ...rest } = object;
    for (const key of setByServer[kind] ?? []) {
      delete rest[key];
      delete stored[key];
    }
    expect(problems).toEqual([]);
    expect(rest as JsonValue).toEqual(stored);
  },
);
