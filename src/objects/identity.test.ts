import { expect, test } from "vitest";
import { apiVersionOf, groupOf, splitApiVersion } from "./api-version.ts";
import { formatIdentity, identityKey, identityOf } from "./identity.ts";

const object = (apiVersion: string, kind: string, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: { name: "a", ...(namespace === undefined ? {} : { namespace }) },
});

test.each([
  [object("v1", "Namespace"), "Namespace a", "/Namespace//a"],
  [object("v1", "Pod", "b"), "Pod b/a", "/Pod/b/a"],
  [object("apps/v1", "Deployment", "b"), "Deployment.apps b/a", "apps/Deployment/b/a"],
])("%j", (value, text, key) => {
  expect(formatIdentity(identityOf(value))).toBe(text);
  expect(identityKey(identityOf(value))).toBe(key);
});

test("an API version is a group and a version", () => {
  expect([groupOf("v1"), groupOf("apps/v1")]).toEqual(["", "apps"]);
  expect(splitApiVersion("apps/v1")).toEqual({ group: "apps", version: "v1" });
  for (const text of ["v1", "apps/v1"]) expect(apiVersionOf(splitApiVersion(text))).toBe(text);
});
