import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core } from "./paths.ts";

const maps = `${core}/configmaps`;
const gone: readonly [string, string] = ["code", "404"];
const refused: Partial<Step> = { keep: ["kind", "reason", "code", "status", "details"] };
const create = (name: string, metadata: object = {}, rest: Partial<Step> = {}): Step =>
  jsonStep("POST", maps, configMap(name, {}, metadata), { prepare: true, ...rest });
const ownedBy = (uid: string, name: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name,
  uid: `{${uid}}`,
  ...more,
});
/** A parent with a child and a grandchild. */
const tree = (more: object = {}): readonly Step[] => [
  create("parent", {}, { take: { parent: "metadata.uid" } }),
  create(
    "child",
    { ownerReferences: [ownedBy("parent", "parent", more)] },
    { take: { child: "metadata.uid" } },
  ),
  create("grandchild", { ownerReferences: [ownedBy("child", "child", more)] }),
];
const remove = (name: string, options?: object, rest: Partial<Step> = refused): Step =>
  jsonStep(
    "DELETE",
    `${maps}/${name}`,
    options === undefined ? undefined : { kind: "DeleteOptions", apiVersion: "v1", ...options },
    rest,
  );
const isGone = (name: string): Step =>
  jsonStep("GET", `${maps}/${name}`, undefined, { until: gone, keep: ["code"] });
const isThere = (name: string): Step =>
  jsonStep("GET", `${maps}/${name}`, undefined, {
    keep: ["kind", "metadata.ownerReferences", "metadata.finalizers"],
  });
const shown: Partial<Step> = {
  keep: [
    "kind",
    "metadata.finalizers",
    "metadata.deletionGracePeriodSeconds",
    "metadata.generation",
    "code",
    "status",
  ],
};

/** Deletions and what they mean for dependents. */
export const deleteCases: readonly ConformanceCase[] = [
  {
    name: "a tree goes in the background",
    steps: [
      ...tree(),
      remove("parent", { propagationPolicy: "Background" }),
      isGone("parent"),
      isGone("child"),
      isGone("grandchild"),
    ],
  },
  {
    name: "a tree goes by default",
    steps: [...tree(), remove("parent"), isGone("child"), isGone("grandchild")],
  },
  {
    name: "a tree goes in the foreground",
    steps: [
      ...tree({ blockOwnerDeletion: true }),
      remove("parent", { propagationPolicy: "Foreground" }, shown),
      isGone("grandchild"),
      isGone("child"),
      isGone("parent"),
    ],
  },
  {
    name: "dependents that block nobody",
    steps: [
      ...tree(),
      remove("parent", { propagationPolicy: "Foreground" }, shown),
      isGone("parent"),
      isGone("child"),
      isGone("grandchild"),
    ],
  },
  {
    name: "foreground waits for a child that is held",
    steps: [
      create("parent", {}, { take: { parent: "metadata.uid" } }),
      create("child", {
        finalizers: ["example.com/hold"],
        ownerReferences: [ownedBy("parent", "parent", { blockOwnerDeletion: true })],
      }),
      remove("parent", { propagationPolicy: "Foreground" }, shown),
      jsonStep("GET", `${maps}/child`, undefined, {
        until: ["metadata.deletionGracePeriodSeconds", "0"],
        keep: ["metadata.finalizers"],
      }),
      isThere("parent"),
      jsonStep("PATCH", `${maps}/child`, { metadata: { finalizers: null } }, { prepare: true }),
      isGone("child"),
      isGone("parent"),
    ],
  },
  {
    name: "orphans lose their owner",
    steps: [
      ...tree(),
      remove("parent", { propagationPolicy: "Orphan" }, shown),
      isGone("parent"),
      jsonStep("GET", `${maps}/child`, undefined, {
        until: ["metadata.ownerReferences", "null"],
        keep: ["kind", "metadata.ownerReferences"],
      }),
      isThere("grandchild"),
    ],
  },
  {
    name: "orphans by the older flag",
    steps: [
      ...tree(),
      remove("parent", { orphanDependents: true }, shown),
      isGone("parent"),
      jsonStep("GET", `${maps}/child`, undefined, {
        until: ["metadata.ownerReferences", "null"],
        keep: ["kind"],
      }),
    ],
  },
  {
    name: "both ways to say it",
    steps: [
      create("a"),
      remove("a", { orphanDependents: true, propagationPolicy: "Orphan" }),
      remove("a", { propagationPolicy: "Nonsense" }),
      remove("a", { gracePeriodSeconds: -1 }),
      isThere("a"),
    ],
  },
  {
    name: "a child of two owners stays until both are gone",
    steps: [
      create("one", {}, { take: { one: "metadata.uid" } }),
      create("two", {}, { take: { two: "metadata.uid" } }),
      create("child", { ownerReferences: [ownedBy("one", "one"), ownedBy("two", "two")] }),
      remove("one"),
      isGone("one"),
      jsonStep("GET", `${maps}/child`, undefined, {
        until: ["metadata.ownerReferences.1", "null"],
        keep: ["kind", "metadata.ownerReferences"],
      }),
      remove("two"),
      isGone("child"),
    ],
  },
  {
    name: "preconditions",
    steps: [
      create("a", {}, { take: { uid: "metadata.uid", version: "metadata.resourceVersion" } }),
      remove(
        "a",
        { preconditions: { uid: "00000000-0000-0000-0000-000000000000" } },
        { keep: ["code", "reason"] },
      ),
      remove("a", { preconditions: { resourceVersion: "1" } }, { keep: ["code", "reason"] }),
      isThere("a"),
      remove("a", { preconditions: { uid: "{uid}", resourceVersion: "{version}" } }),
      isGone("a"),
    ],
  },
  {
    name: "dry run of a deletion",
    steps: [
      create("a"),
      remove("a", { dryRun: ["All"] }),
      isThere("a"),
      jsonStep("DELETE", `${maps}/a?dryRun=All`, undefined, refused),
      isThere("a"),
      remove("a", { dryRun: ["Some"] }, { keep: ["code", "reason"] }),
    ],
  },
  {
    name: "deleting twice what is held",
    steps: [
      create("a", { finalizers: ["example.com/hold"] }),
      remove("a", undefined, shown),
      remove("a", undefined, shown),
      jsonStep(
        "PATCH",
        `${maps}/a`,
        { metadata: { finalizers: ["example.com/hold", "example.com/more"] } },
        { keep: ["code", "reason", "details"] },
      ),
      jsonStep(
        "PATCH",
        `${maps}/a`,
        { data: { x: "1" } },
        { keep: ["data", "metadata.finalizers"] },
      ),
      jsonStep(
        "PATCH",
        `${maps}/a`,
        { metadata: { finalizers: [] } },
        { keep: ["kind", "metadata.finalizers"] },
      ),
      isGone("a"),
    ],
  },
  {
    name: "a held object in the foreground",
    steps: [
      create("a", { finalizers: ["example.com/hold"] }),
      remove("a", { propagationPolicy: "Foreground" }, { keep: ["kind"] }),
      jsonStep("GET", `${maps}/a`, undefined, {
        until: ["metadata.finalizers.1", "null"],
        keep: ["metadata.finalizers"],
      }),
      jsonStep("PATCH", `${maps}/a`, { metadata: { finalizers: null } }, { prepare: true }),
      isGone("a"),
    ],
  },
  {
    name: "a collection by label",
    steps: [
      create("a", { labels: { x: "1" } }),
      create("b", { labels: { x: "1" } }),
      create("c", { labels: { x: "2" } }),
      jsonStep("DELETE", `${maps}?labelSelector=x%3D1`, undefined, {
        keep: ["kind", "items.*.metadata.name"],
      }),
      jsonStep("GET", `${maps}?labelSelector=x`, undefined, { keep: ["items.*.metadata.name"] }),
      jsonStep("DELETE", `${maps}?fieldSelector=metadata.name%3Dc&dryRun=All`, undefined, {
        keep: ["kind"],
      }),
      jsonStep("GET", `${maps}?labelSelector=x`, undefined, { keep: ["items.*.metadata.name"] }),
    ],
  },
  {
    name: "owner references that cannot be",
    steps: [
      jsonStep(
        "POST",
        maps,
        configMap(
          "a",
          {},
          { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x" }] },
        ),
        refused,
      ),
      jsonStep(
        "POST",
        maps,
        configMap("a", {}, { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "x" }] }),
        refused,
      ),
      jsonStep(
        "POST",
        maps,
        configMap(
          "a",
          {},
          {
            ownerReferences: [1, 2].map((each) => ({
              apiVersion: "v1",
              kind: "ConfigMap",
              name: "x",
              uid: `u${each}`,
              controller: true,
            })),
          },
        ),
        { keep: ["code", "reason"] },
      ),
    ],
  },
  {
    name: "a deletion of nothing",
    steps: [
      remove("a"),
      jsonStep("DELETE", `${maps}/a`, { kind: "Nonsense", apiVersion: "v1" }, { keep: ["code"] }),
    ],
  },
];
