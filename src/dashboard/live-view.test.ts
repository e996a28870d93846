import { afterEach, beforeEach, expect, it } from "vitest";
import { shopWorld } from "../../test/browser/shop-world.ts";
import { type Cluster, clusterOver, fixedCredentials } from "../cluster/index.ts";
import {
  ensureGroupDefinition,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
  owningInventoryAnnotation,
} from "../inventory/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import type { DashboardView } from "./dashboard-view.ts";
import { LiveView } from "./live-view.ts";

let sandbox: Sandbox;
let cluster: Cluster;
let live: LiveView;

beforeEach(() => {
  sandbox = openSandbox({ workloads: false });
  cluster = clusterOver(new InProcessTransport(sandbox));
  live = new LiveView({ cluster, description: "a cluster" });
});

afterEach(async () => {
  live.close();
  await cluster.close();
  sandbox.close();
});

/** Resolves with the first view that is as it is waited for; told of it by a change, not by a clock. */
function until(seen: (view: DashboardView) => boolean, view = live): Promise<DashboardView> {
  if (seen(view.view)) return Promise.resolve(view.view);
  const { promise, resolve } = Promise.withResolvers<DashboardView>();
  const stop = view.subscribe({
    onChange: () => {
      if (!seen(view.view)) return;
      stop();
      resolve(view.view);
    },
  });
  return promise;
}

const owned = { annotations: { [owningInventoryAnnotation]: "mine" } };

function group(name: string, resources: readonly object[], more = {}): KubernetesObject {
  return {
    apiVersion: groupApiVersion,
    kind: groupKind,
    metadata: { name, namespace: "default", labels: { [inventoryIdLabel]: "mine" }, ...more },
    spec: { resources },
  };
}

const entry = (kind: string, name: string, apiGroup = ""): object => ({
  group: apiGroup,
  kind,
  namespace: "default",
  name,
});

const statuses = ({ components }: DashboardView): readonly string[] =>
  components.flatMap(({ objects }) =>
    objects.map(({ kind, name, status }) => `${kind} ${name}: ${status}`),
  );

function configMap(name: string, metadata: object = owned): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata } };
}

it("begins before anything was ever applied", async () => {
  expect((await until(({ isComplete }) => isComplete)).inventories).toEqual([]);
  await ensureGroupDefinition(cluster);
  await cluster.create(configMap("settings"));
  await cluster.create(group("app", [entry("ConfigMap", "settings"), entry("Secret", "gone")]));
  const view = await until((each) => each.isComplete && each.components.length > 0);
  expect(view.inventories).toMatchObject([{ name: "app", id: "mine", objects: 2 }]);
  expect(statuses(view)).toEqual(["ConfigMap settings: Current", "Secret gone: NotFound"]);
  expect(view.components[0]?.message).toBe("Secret gone: it is not in the cluster");
});

it("knows the parts of an inventory as one, and whose objects others are", async () => {
  await ensureGroupDefinition(cluster);
  await cluster.create(configMap("settings"));
  const theirs = { annotations: { [owningInventoryAnnotation]: "theirs" } };
  await cluster.create(configMap("taken", theirs));
  await cluster.create(configMap("unowned", {}));
  await cluster.create(group("app", [entry("ConfigMap", "settings"), entry("ConfigMap", "taken")]));
  await cluster.create(group("app-1", [entry("ConfigMap", "unowned")]));
  const view = await until((each) => each.isComplete && statuses(each).length === 3);
  expect(view.inventories).toMatchObject([{ name: "app", objects: 3 }]);
  const owners = view.components.flatMap(({ objects }) =>
    objects.map(({ name, otherOwner }) => [name, otherOwner]),
  );
  expect(Object.fromEntries(owners)).toEqual({
    settings: undefined,
    taken: "theirs",
    unowned: "",
  });
});

it("waits for what a rule says that an object must own", async () => {
  await ensureGroupDefinition(cluster);
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: "claims.example.com",
      annotations: {
        "keelson.dev/CrdReadyWhenExistsKind": "Lease",
        "keelson.dev/CrdReadyWhenExistsVersion": "coordination.k8s.io/v1",
      },
    },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Claim", plural: "claims", singular: "claim", listKind: "ClaimList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
    },
  });
  await cluster.create(group("app", [entry("Claim", "one", "example.com")]));
  const claim = { apiVersion: "example.com/v1", kind: "Claim" };
  await cluster.refreshResources();
  const made = await cluster.create({ ...claim, metadata: { name: "one", ...owned } });
  await until((view) => statuses(view).includes("Claim one: InProgress"));
  await cluster.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: "made",
      ownerReferences: [{ ...claim, name: "one", uid: made.metadata.uid ?? "" }],
    },
  });
  await until((view) => statuses(view).includes("Claim one: Current"));
});

const rbac = "rbac.authorization.k8s.io";

it("says what it may not see, and shows the rest", async () => {
  const world = await shopWorld(new URL("file:///nowhere/"));
  const admin = world.cluster;
  await ensureGroupDefinition(admin);
  await admin.create(configMap("settings"));
  await admin.create(group("app", [entry("ConfigMap", "settings"), entry("Secret", "hidden")]));
  const account = { name: "viewer", namespace: "default" };
  await admin.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  const resources = ["configmaps", "pods", "events", "replicasets", "jobs", "resourcegroups"];
  await admin.create({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "viewer" },
    rules: [
      {
        apiGroups: ["*"],
        resources: [...resources, "customresourcedefinitions"],
        verbs: ["list", "watch"],
      },
    ],
  });
  await admin.create({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "viewer" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "viewer" },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  const { token } = await admin.serviceAccountToken(account);
  const viewer = admin.as?.(fixedCredentials({ authorization: `Bearer ${token}` }));
  if (viewer === undefined) throw new Error("nobody else can be");
  const partly = new LiveView({ cluster: viewer, description: "a cluster" });
  try {
    const view = await until((each) => each.isComplete && each.problems.length > 0, partly);
    expect(view.problems).toEqual([
      "Secret objects in default are not shown: you may not watch them",
    ]);
    expect(statuses(view)).toEqual(["ConfigMap settings: Current", "Secret hidden: Unknown"]);
  } finally {
    partly.close();
    await viewer.close();
    await world.close();
  }
});
