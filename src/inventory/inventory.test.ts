import { describe, expect, it } from "vitest";
import { DiagnosticError, formatPosition } from "../diagnostics/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import { chooseGroup, type GroupCandidates } from "./choose-group.ts";
import type { GroupReference } from "./group-reference.ts";
import { assignParts } from "./inventory-store.ts";
import { inventoryViolations } from "./inventory-violations.ts";
import { emptyInventory, type Inventory } from "./inventory.ts";
import { kptfileInventory, withoutInventory } from "./kptfile.ts";
import { type InventoryPolicy, ownershipOf } from "./ownership.ts";

const entry = (name: string): ObjectIdentity => ({
  group: "",
  kind: "ConfigMap",
  namespace: "default",
  name,
});
const reference: GroupReference = {
  name: "shop",
  namespace: "default",
  id: "shop-default",
  source: "rg.yaml",
};

describe("assignParts", () => {
  /** Parts as words of one letter each; room for two entries. */
  const assign = (parts: readonly string[], entries: string): string =>
    assignParts(
      {
        parts: parts.map((part, index) => ({
          name: `p${index}`,
          uid: "",
          resourceVersion: "",
          entries: part.split("").map(entry),
        })),
      },
      entries.split("").map(entry),
      { largestPartBytes: 600 },
    )
      .map((part) => part.map(({ name }) => name).join(""))
      .join(" ");
  const cases: readonly (readonly [parts: readonly string[], entries: string, expected: string])[] =
    [
      [[], "", ""],
      [[], "abc", "ab c"],
      [["ab", "c"], "abc", "ab c"],
      [["ab", "c"], "cba", "ab c"],
      [["ab", "c"], "bcd", "bd c"],
      [["ab", "cd"], "abe", "ab e"],
      [["ab", "cd"], "ab", "ab "],
      [["ab", "cd"], "abcde", "ab cd e"],
    ];
  it.each(cases)("%j and %s", (parts, entries, expected) => {
    expect(assign(parts, entries)).toBe(expected);
  });
});

describe("inventoryViolations", () => {
  const inventory = (parts: Inventory["parts"], liveId = "shop-default"): Inventory => ({
    ...emptyInventory(reference),
    liveId,
    parts,
  });
  it("finds none in what is valid", () => {
    expect(inventoryViolations(emptyInventory(reference))).toEqual([]);
    expect(
      inventoryViolations(
        inventory([{ name: "shop", uid: "", resourceVersion: "", entries: [entry("a")] }]),
      ),
    ).toEqual([]);
  });
  it("finds repeated, nameless and homeless entries", () => {
    const parts = [
      { name: "other", uid: "", resourceVersion: "", entries: [entry("a"), entry("")] },
      { name: "shop-1", uid: "", resourceVersion: "", entries: [entry("a")] },
    ];
    expect(inventoryViolations(inventory(parts, ""))).toEqual([
      "other: an entry without kind or name",
      "ConfigMap default/a stands in other and in shop-1",
      "the first part is not shop",
      "shop has no inventory id",
    ]);
  });
});

describe("ownershipOf", () => {
  const cases: readonly (readonly [
    owner: string | undefined,
    policy: InventoryPolicy,
    expected: string,
  ])[] = [
    ["shop-default", "strict", "ours"],
    ["former", "strict", "ours"],
    [undefined, "strict", "refused undefined"],
    ["", "strict", "refused undefined"],
    [undefined, "adopt", "adopted"],
    [undefined, "force-adopt", "adopted"],
    ["other", "strict", "refused other"],
    ["other", "adopt", "refused other"],
    ["other", "force-adopt", "adopted"],
  ];
  it.each(cases)("owner %s, policy %s: %s", (owner, policy, expected) => {
    const annotations = owner === undefined ? {} : { "config.k8s.io/owning-inventory": owner };
    const live: KubernetesObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", annotations },
    };
    const ownership = ownershipOf(live, { id: "shop-default", formerId: "former" }, policy);
    expect(
      ownership.kind === "refused" ? `refused ${String(ownership.owner)}` : ownership.kind,
    ).toBe(expected);
  });
});

describe("chooseGroup", () => {
  const other = { ...reference, name: "other", id: "other-default", source: "<stdin>" };
  const choose = (candidates: Partial<GroupCandidates>): string => {
    try {
      const all = { groups: [], kptfile: undefined, fromStream: true, ...candidates };
      return chooseGroup(all).name;
    } catch (error) {
      if (error instanceof DiagnosticError) return error.diagnostics[0]?.code ?? "";
      throw error;
    }
  };
  const cases: readonly (readonly [candidates: Partial<GroupCandidates>, expected: string])[] = [
    [{}, "live.no-group"],
    [{ kptfile: reference }, "live.kptfile-inventory"],
    [{ groups: [reference] }, "shop"],
    [{ groups: [reference, other] }, "live.several-groups"],
    [{ groups: [reference], kptfile: other }, "shop"],
    [{ kptfile: reference, fromStream: false }, "shop"],
    [{ groups: [reference], kptfile: reference, fromStream: false }, "shop"],
    [{ groups: [reference], kptfile: other, fromStream: false }, "live.several-groups"],
    [{ groups: [{ ...reference, id: "x".repeat(64) }] }, "live.invalid-group"],
    [{ groups: [{ ...reference, id: "bad id!" }] }, "live.invalid-group"],
    [{ groups: [{ ...reference, namespace: "a.b" }] }, "live.invalid-group"],
  ];
  it.each(cases)("%j", (candidates, expected) => {
    expect(choose(candidates)).toBe(expected);
  });
});

describe("kptfile", () => {
  const text =
    "# pkg\nkind: Kptfile\ninventory:\n  name: old # here\n  inventoryID: 0012\ninfo:\n  a: b\n";
  it("gives its inventory, with the id as it is written", async () => {
    expect(await kptfileInventory(text, "Kptfile")).toEqual({
      name: "old",
      namespace: "default",
      id: "0012",
      source: "Kptfile",
      metadata: { labels: {}, annotations: {} },
    });
    expect(await kptfileInventory("kind: Kptfile\n", "Kptfile")).toBeUndefined();
  });
  const broken: readonly (readonly [text: string, expected: string])[] = [
    ["kind: Kptfile\ninventory: {name: a\n", "Kptfile:3:1 Flow map in block collection"],
    ["- a\n", "Kptfile:1:1 it is no map"],
    ["kind: Kptfile\ninventory: shop\n", "Kptfile:2:1 inventory is no map"],
    ["kind: Kptfile\ninventory:\n  namespace: a\n", "Kptfile:2:1 it has no name"],
  ];
  it.each(broken)("says where %j is wrong", async (kptfile, expected) => {
    const found = await kptfileInventory(kptfile, "Kptfile").catch((error: unknown) => error);
    const [diagnostic] = found instanceof DiagnosticError ? found.diagnostics : [];
    expect(diagnostic?.code).toBe("live.invalid-kptfile");
    const place = diagnostic?.source && formatPosition(diagnostic.source);
    expect(`${place} ${diagnostic?.summary.split(": ")[1]}`).toContain(expected);
  });
  it("loses nothing else with it", async () => {
    expect(await withoutInventory(text)).toBe("# pkg\nkind: Kptfile\ninfo:\n  a: b\n");
  });
});
