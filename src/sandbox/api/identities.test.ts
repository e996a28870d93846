import { expect, test } from "vitest";
import { Store } from "../store/store.ts";
import { Identities, type TokenClaims } from "./identities.ts";

const minute = 60_000;

function given(): {
  store: Store;
  identities: Identities;
  claims: TokenClaims;
  at: { now: number };
} {
  const store = new Store();
  const at = { now: 1_000_000 };
  const metadata = { name: "robot", namespace: "web", uid: "u1" };
  store.put("/serviceaccounts", { kind: "ServiceAccount", apiVersion: "v1", metadata });
  const identities = new Identities({ adminToken: "secret", store, now: () => at.now });
  const claims = {
    namespace: "web",
    name: "robot",
    uid: "u1",
    audiences: ["api"],
    expires: at.now + 10 * minute,
  };
  return { store, identities, claims, at };
}

test("a token makes its bearer the service account", () => {
  const { identities, claims } = given();
  const found = identities.authenticate(identities.issue(claims));
  expect(found?.audiences).toEqual(["api"]);
  expect(found?.user).toMatchObject({
    name: "system:serviceaccount:web:robot",
    uid: "u1",
    groups: ["system:serviceaccounts", "system:serviceaccounts:web", "system:authenticated"],
  });
});

test("the administrator's token is the administrator's", () => {
  const { identities } = given();
  expect(identities.authenticate("secret")?.user.name).toBe("admin");
  expect(identities.authenticate("secrets")).toBeUndefined();
  expect(identities.authenticate("")).toBeUndefined();
});

test("a token is worth nothing once it has expired, or its account or pod is gone", () => {
  const { identities, claims, store, at } = given();
  const token = identities.issue(claims);
  const bound = identities.issue({ ...claims, bound: { kind: "Pod", name: "p", uid: "p1" } });
  expect(identities.authenticate(bound)).toBeUndefined();
  const metadata = { name: "p", namespace: "web", uid: "p1" };
  store.put("/pods", { kind: "Pod", apiVersion: "v1", metadata });
  expect(identities.authenticate(bound)?.user.extra).toMatchObject({
    "authentication.kubernetes.io/pod-name": ["p"],
  });
  at.now += 10 * minute;
  expect(identities.authenticate(token)).toBeUndefined();
  at.now -= minute;
  expect(identities.authenticate(token)).toBeDefined();
  store.delete("/serviceaccounts", "web", "robot");
  expect(identities.authenticate(token)).toBeUndefined();
});

test("a token that was changed or signed by another sandbox is refused", () => {
  const { identities, claims, store, at } = given();
  const other = new Identities({ adminToken: "other", store, now: () => at.now });
  expect(identities.authenticate(other.issue(claims))).toBeUndefined();
  const [head = "", , signature = ""] = identities.issue(claims).split(".");
  const forged = Buffer.from(JSON.stringify({ sub: "admin" })).toString("base64url");
  expect(identities.authenticate(`${head}.${forged}.${signature}`)).toBeUndefined();
});
