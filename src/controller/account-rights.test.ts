import { afterEach, beforeEach, expect, it } from "vitest";
import type { Cluster } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { inProcessCluster } from "../sandbox/in-process-cluster.ts";
import { AccountClusters } from "./account-clusters.ts";
import { AccountRights } from "./account-rights.ts";
import { findTaken } from "../apply/find-taken.ts";
import { measuredCluster } from "./runtime/measured-cluster.ts";

const account = { namespace: "default", name: "default" };
const secret = (name: string) => ({ apiVersion: "v1", kind: "Secret", namespace: "default", name });
const rbac = "rbac.authorization.k8s.io";

let cluster: Cluster;
let accounts: AccountClusters;
const asked: string[] = [];
beforeEach(async () => {
  asked.length = 0;
  const inside = inProcessCluster(openSandbox({ workloads: false }), { namespace: "default" });
  cluster = measuredCluster(inside, (verb, kind) => asked.push(`${verb} ${kind}`));
  accounts = new AccountClusters(cluster);
  const metadata = { name: "reader", namespace: "default" };
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "Role",
    metadata,
    rules: [
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["own"], verbs: ["get"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
    ],
  });
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: rbac, kind: "Role", name: "reader" },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  asked.length = 0;
});
afterEach(async () => {
  await accounts.close();
  await cluster.close();
});

it("an account may get an object by its kind, or by its name", async () => {
  const rights = new AccountRights(accounts);
  const map = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "any" };
  expect(await rights.mayGet(account, map)).toBe(true);
  expect(await rights.mayGet(account, secret("own"))).toBe(true);
  expect(await rights.mayGet(account, secret("other"))).toBe(false);
  expect(await rights.mayGet(account, { ...map, namespace: "kube-system" })).toBe(false);
});

it("what is allowed is remembered for a moment, and what is forbidden asked again", async () => {
  let now = 0;
  const rights = new AccountRights(accounts, () => now);
  const map = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "any" };
  const names = ["a", "b", "c"];
  await Promise.all(names.map((name) => rights.mayGet(account, { ...map, name })));
  for (const name of names) await rights.mayGet(account, { ...map, name });
  expect(asked).toEqual(["create SelfSubjectAccessReview"]);
  now = 10_000;
  await rights.mayGet(account, map);
  expect(asked).toHaveLength(2);
  await rights.mayGet(account, secret("other"));
  await rights.mayGet(account, secret("other"));
  expect(asked).toHaveLength(6);
  const metadata = { name: "reader", namespace: "default" };
  await cluster.delete({ apiVersion: `${rbac}/v1`, kind: "RoleBinding", ...metadata });
  now = 20_000;
  expect(await rights.mayGet(account, map)).toBe(false);
});

it("a name that is taken by what may not be read is only that", async () => {
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "other", namespace: "default" },
  };
  const found = accounts.as(account, (as) => findTaken(as, object));
  const error = await found.catch((each: unknown) => each);
  expect(error).toBeInstanceOf(DiagnosticError);
  expect((error as DiagnosticError).diagnostics[0]).toMatchObject({
    code: "controller.name-taken",
    summary: expect.stringContaining(
      "Secret other exists, and whose it is cannot be seen",
    ) as string,
  });
});
